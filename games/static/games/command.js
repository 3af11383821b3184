// The command box: "play 7H" or "7h", "bid 4" or "4", and questions that are answered in words.

import { say } from "./telling.js";

export function tendCommand({ scene, refuse, words }) {
  const form = document.getElementById("command");
  if (!form) return;
  form.hidden = false;
  const input = form.querySelector("input");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    refuse("");
    const order = input.value.trim().toUpperCase().replace(/\s+/g, " ");
    input.value = "";
    if (!order) return;
    const answer = ask(order, scene, words);
    if (answer !== undefined) return void say(answer);
    const value = order.replace(/^(PLAY|BID|CALL) /, "").replace(/^10/, "T").replace("♠", "S").replace("♥", "H").replace("♦", "D").replace("♣", "C");
    const button = scene.querySelector(/^\d+$/.test(value) ? `.bid[value="${Number(value)}"]` : `.hand-card[value="${CSS.escape(value)}"]`);
    if (button) button.click();
    else refuse(words.told["order.unknown"]);
  });
}

function ask(order, scene, { cards, told }) {
  if (order === "HAND") return [...scene.querySelectorAll(".hand-card")].map((button) => cards[button.value]).join(", ");
  if (order === "TRICK") {
    const played = [...scene.querySelectorAll(".slot")].filter((slot) => slot.querySelector(".card"));
    const name = (slot) => scene.querySelector(`.seat[data-seat="${slot.dataset.slot}"]`).dataset.name;
    return played.map((slot) => `${name(slot)}: ${cards[slot.querySelector(".card").dataset.card]}`).join(", ") || told["trick.empty"];
  }
  if (order === "SCORE") return scene.querySelector("#scores summary").textContent.trim().replace(/\s+/g, " ");
  return undefined;
}
