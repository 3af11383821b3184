// The table in the page: shows what happens one thing after the other, and sends what the player does.

import { localTimes } from "../site/site.js";
import { Away } from "./away.js";
import { tendCommand } from "./command.js";
import { Feed } from "./feed.js";
import { tendHand } from "./hand.js";
import { calmDown, fly, hurryUp, pause } from "./motion.js";
import { sound, soundIsOn, switchSound } from "./sound.js";
import { tell, words } from "./telling.js";

const scene = document.getElementById("scene");
const refusal = document.getElementById("refusal");
const path = location.pathname;
const queue = [];
const FLOOD = 14; // so many events at once are not shown one by one, nor said
const PATIENCE = 15_000;
const TRY_AGAIN_AFTER = 3_000;
let again;
let isShowing = false;
let isSending = false;
let isPlayingBack = false;

const table = () => scene.querySelector(".table");
const slot = (seat) => scene.querySelector(`[data-slot="${seat}"]`);
const place = (seat) => scene.querySelector(`.seat[data-seat="${seat}"]`);
const me = () => table().dataset.me;

function refuse(words) {
  refusal.textContent = words;
  refusal.hidden = !words;
  if (words) refusal.scrollIntoView({ block: "nearest" });
}

async function refresh() {
  clearTimeout(again);
  const [status, text] = await look();
  if (!status || status >= 429) again = setTimeout(refresh, TRY_AGAIN_AFTER);
  if (status !== 200 || isShowing || queue.length) return; // more has happened: it is shown first
  const fresh = document.createElement("template");
  fresh.innerHTML = text;
  if (Number(fresh.content.querySelector(".table").dataset.version) <= Number(table().dataset.version)) return; // a later one overtook it
  const kept = whereFocusIs();
  const opened = [...scene.querySelectorAll("details[open][id]")].map((details) => details.id);
  scene.replaceChildren(fresh.content);
  for (const id of opened) scene.querySelector(`#${id}`)?.setAttribute("open", "");
  if (kept) scene.querySelector(kept)?.focus({ preventScroll: true });
  tend();
  const isMine = table().dataset.mine !== undefined;
  if (isMine) {
    sound("turn");
    tell({ type: "turn.mine" });
  }
  // What had the focus is gone with the move: it goes on where the next one is made, or where the result stands.
  if (kept && document.activeElement === document.body) {
    scene.querySelector(isMine ? ".bid, .is-legal button" : ".finish h2, #headline")?.focus({ preventScroll: true });
  }
  document.title = document.title.replace(/^(\(!\) )?.* · /, `${isMine ? "(!) " : ""}${scene.querySelector("#headline").textContent} · `);
}

async function look() {
  try {
    const answer = await fetch(`${path}table?version=${table().dataset.version}`, { signal: AbortSignal.timeout?.(PATIENCE) });
    return [answer.status, await answer.text()];
  } catch {
    return [0, ""];
  }
}

function whereFocusIs() {
  // A selector that finds in the next table what has the focus in this one.
  const focused = document.activeElement;
  if (!scene.contains(focused)) return undefined;
  if (focused.id) return `#${focused.id}`;
  if (focused.matches("details[id] > summary")) return `#${focused.parentElement.id} > summary`;
  if (focused.matches("a[href]")) return `a[href="${focused.getAttribute("href")}"]`;
  return focused.value && `[name="${focused.name}"][value="${focused.value}"]`;
}

function tend() {
  localTimes(scene);
  tendHand(scene, { play, refuse });
  scene.querySelector("#bids")?.addEventListener("submit", (event) => {
    event.preventDefault();
    send(event.target, event.submitter);
  });
  const button = scene.querySelector("#sound");
  button.hidden = false;
  button.setAttribute("aria-pressed", soundIsOn());
  button.addEventListener("click", () => button.setAttribute("aria-pressed", switchSound()));
  if (table().dataset.status === "active") away.see(table().dataset.version);
}

async function send(form, button) {
  if (isSending) return false;
  isSending = true;
  refuse("");
  const body = new FormData(form);
  body.set(button.name, button.value);
  body.set("confirmed", "yes");
  try {
    const headers = { "X-Requested-With": "fetch" };
    const answer = await fetch(form.action, { method: "POST", body, headers, signal: AbortSignal.timeout?.(PATIENCE) });
    const said = await answer.json();
    if (!answer.ok) {
      refuse(said.refusal);
      if (said.code === "stale_form") table().dataset.version = ""; // the next table brings a token of this session
      return false;
    }
    if (form.id === "bids") form.hidden = true;
    return true;
  } catch {
    refuse(words.told["not.sent"]);
    return false;
  } finally {
    isSending = false;
    await feed.pull();
    if (!isShowing) await refresh();
  }
}

async function play(button) {
  if (isSending) return;
  const item = button.closest("li");
  const card = button.querySelector(".card");
  const target = slot(me());
  const from = card.getBoundingClientRect();
  target.replaceChildren(card.cloneNode(true));
  target.dataset.pending = button.value;
  item.style.visibility = "hidden";
  sound("card");
  fly(card, from, target.getBoundingClientRect(), 180);
  if (await send(button.form, button)) return;
  if (target.dataset.pending === button.value) {
    target.replaceChildren();
    delete target.dataset.pending;
  }
  item.style.visibility = "";
}

const SHOW = {
  async "card.played"({ seat, data }) {
    const target = slot(seat);
    if (target.dataset.pending === data.card) return void delete target.dataset.pending;
    if (target.firstElementChild?.dataset.card === data.card) return; // the table that is shown was ahead of it
    const card = pictureOf(data.card);
    const own = scene.querySelector(`.hand-card[value="${data.card}"]`);
    const from = (own ?? place(seat)).getBoundingClientRect();
    own?.closest("li").style.setProperty("visibility", "hidden");
    sound("card");
    await fly(card, from, target.getBoundingClientRect());
    target.replaceChildren(card);
    await pause(300);
  },
  async "trick.won"({ seat }) {
    await pause(650);
    sound("trick");
    const goal = place(seat).getBoundingClientRect();
    const tricks = place(seat).querySelector("[data-tricks]");
    if (tricks) tricks.textContent = Number(tricks.textContent) + 1;
    const cards = [...scene.querySelectorAll(".slot .card")];
    const flights = cards.map((card) => fly(card, card.getBoundingClientRect(), { ...box(goal), width: card.clientWidth / 2 }, 300));
    for (const each of scene.querySelectorAll(".slot")) each.replaceChildren();
    await Promise.all(flights);
  },
  async "bid.made"({ seat, data }) {
    const count = place(seat).querySelector(".seat-count");
    count.textContent = `0/${data.bid}`;
    sound("card");
    await pause(350);
  },
  async "round.scored"() {
    sound("round");
    await pause(400);
  },
  async "game.finished"({ data }) {
    sound(data.winners.includes(Number(me())) ? "won" : "round");
  },
};

function box({ left, top, width, height }) {
  return { left: left + width / 4, top: top + height / 4, width, height };
}

function pictureOf(name) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("class", "card");
  picture.setAttribute("viewBox", "0 0 250 350");
  picture.dataset.card = name;
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${document.querySelector("[data-cards]").dataset.cards}#${name}`);
  picture.append(use);
  return picture;
}

async function run() {
  if (isShowing) return;
  isShowing = true;
  while (queue.length) {
    const isFlood = queue.length > FLOOD && !isPlayingBack;
    if (isFlood) hurryUp();
    const event = queue.shift();
    if (!isFlood) tell(event, place(event.seat)?.dataset.name, String(event.seat) === me());
    try {
      await SHOW[event.type]?.(event);
    } catch (error) {
      reportError(error); // the table that comes next shows all the same what has happened
    }
  }
  calmDown();
  isShowing = false;
  await refresh();
}

async function playBack(events) {
  isPlayingBack = true;
  queue.unshift(...events);
  await run();
  isPlayingBack = false;
}

const away = new Away(path, { playBack, scene, done: refresh });
const feed = new Feed(
  path,
  Number(table().dataset.version),
  (event) => {
    queue.push(event);
    run();
  },
  (isConnected) => { document.getElementById("connection").hidden = isConnected; },
);
addEventListener("pointerdown", () => isShowing && hurryUp());
addEventListener("keydown", (event) => {
  if (isShowing && !event.metaKey && !event.ctrlKey) hurryUp();
  if (event.target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("#bids")) scene.querySelector(`.bid[value="${CSS.escape(event.key)}"]`)?.focus();
});
tendCommand({ scene, refuse, words });
if (matchMedia("(min-width: 1100px)").matches) scene.querySelector("#scores").open = true;
tend();
away.begin();
