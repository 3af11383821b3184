// The waiting room shows who comes and goes: by the table's feed, or by looking again where that tells a stranger nothing.

import { Feed } from "./feed.js";

const LOOK_EVERY = 10_000;
const room = document.getElementById("room");

async function look() {
  const answer = await fetch(location.href).catch(() => undefined);
  if (!answer || answer.status >= 429) return; // nothing about the table: the next look may tell
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (page.getElementById("room")?.dataset.version !== room.dataset.version) location.reload();
}

if (room.dataset.feed) new Feed(location.pathname, Number(room.dataset.version), () => location.reload(), () => {});
else setInterval(look, LOOK_EVERY);
