// The button that checks a game's deals: what the page shows, and what this browser kept when its player sat down.

import { checkGame } from "./verify.js";

const SIGNS = new Map([[true, "✓"], [false, "✗"], [null, "–"]]);
const NAMES = new Map([[true, "yes"], [false, "no"], [null, "none"]]);
const button = document.getElementById("check");
const verdict = document.getElementById("verdict");
const words = JSON.parse(document.getElementById("check-words").textContent);
// Which game this is says the address: the rest is what has to be checked.
const [gameId] = location.pathname.match(/[0-9a-f]{32}/);
const game = { ...JSON.parse(document.getElementById("deals").textContent), game_id: gameId };

function kept() {
  try {
    const commitments = JSON.parse(localStorage.getItem(`commitments:${gameId}`));
    return { commitments: Array.isArray(commitments) ? commitments : null, seed: localStorage.getItem(`seed:${gameId}`) };
  } catch {
    return { commitments: null, seed: null };
  }
}

function line(name, holds) {
  const item = document.createElement("li");
  item.className = `check check--${NAMES.get(holds)}`;
  item.dataset.check = name;
  const sign = document.createElement("span");
  sign.className = "check-sign";
  sign.setAttribute("aria-hidden", "true");
  sign.textContent = SIGNS.get(holds);
  item.append(sign, words[name][NAMES.get(holds)]);
  return item;
}

async function check() {
  const results = await checkGame(game, kept());
  for (const [round, checks] of results) {
    const list = document.querySelector(`[data-checks="${round}"]`);
    list.replaceChildren(...checks.map(([name, holds]) => line(name, holds)));
    list.hidden = false;
  }
  const isSound = [...results.values()].flat().every(([, holds]) => holds !== false);
  verdict.className = `note ${isSound ? "" : "note--error"}`;
  verdict.dataset.sound = isSound;
  verdict.textContent = `${isSound ? SIGNS.get(true) : SIGNS.get(false)} ${isSound ? words.verdict.yes : words.verdict.no}`;
  verdict.hidden = false;
}

if (!globalThis.crypto?.subtle) {
  document.getElementById("no-crypto").hidden = false;
} else if (button) {
  let isChecking = false; // not disabled meanwhile, which would take the focus away
  button.hidden = false;
  button.addEventListener("click", async () => {
    if (isChecking) return;
    isChecking = true;
    await check().finally(() => { isChecking = false; });
  });
}
