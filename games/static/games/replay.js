// Steps through a game that is over: within a round at once, from what the page brought; another round is fetched.

const SECOND = 1_000;
const board = document.getElementById("board");
const announced = document.getElementById("said");
const fetched = new Map();
let steps;
let at;
let timer;

const scene = () => board.querySelector(".replay");
const round = () => Number(scene().dataset.round);
const rounds = () => Number(scene().dataset.rounds);
const last = () => steps.length - 1;
const address = (number, step) => `${scene().dataset.path}?round=${number}&step=${step}`;

function targets() {
  // Where each control leads from here, as the server's links do.
  const before = round() > 1;
  const more = round() < rounds();
  return {
    previous_round: before && [round() - 1, 0],
    first: at > 0 && [round(), 0],
    previous: at > 0 ? [round(), at - 1] : before && [round() - 1, last()],
    next: at < last() ? [round(), at + 1] : more && [round() + 1, 0],
    last: at < last() && [round(), last()],
    next_round: more && [round() + 1, 0],
  };
}

function show() {
  const here = steps[at];
  const gone = new Set(steps.slice(0, at + 1).map((step) => step.card));
  for (const held of board.querySelectorAll("[data-held]")) {
    const isGone = gone.has(held.dataset.held);
    if (held.classList.toggle("is-gone", isGone) !== Boolean(held.querySelector("s"))) mark(held, isGone);
  }
  for (const place of board.querySelectorAll("[data-seat]")) {
    const seat = Number(place.dataset.seat);
    const [bid, tricks] = [here.bids[seat], here.tricks[seat]];
    place.classList.toggle("is-on-turn", here.turn === seat);
    place.querySelector("[data-tricks]").textContent = tricks;
    place.querySelector("[data-bid]").textContent = bid ?? "–";
    place.querySelector(".tally").classList.toggle("tally--made", bid !== null && tricks >= bid);
  }
  for (const slot of board.querySelectorAll("[data-slot]")) {
    const seat = Number(slot.dataset.slot);
    const card = here.table[seat];
    const picture = slot.querySelector("svg");
    picture.toggleAttribute("hidden", !card);
    if (card) picture.querySelector("use").setAttribute("href", `${scene().dataset.cards}#${card}`);
    slot.classList.toggle("is-winner", here.winner === seat);
  }
  const words = [here.said, here.more].filter(Boolean).join(" ");
  board.querySelector("[data-said]").textContent = words;
  const why = board.querySelector("[data-why]");
  why.textContent = here.why;
  why.hidden = !here.why;
  board.querySelector("[data-count]").textContent = `${at} / ${last()}`;
  board.querySelector("#scrub").value = at;
  scene().dataset.step = at;
  for (const act of board.querySelectorAll("[data-step].act")) {
    const isHere = Number(act.dataset.step) === at;
    act.classList.toggle("is-here", isHere);
    if (isHere) act.setAttribute("aria-current", "step");
    else act.removeAttribute("aria-current");
  }
  for (const [go, target] of Object.entries(targets())) link(board.querySelector(`[data-go="${go}"]`), target);
  announced.textContent = [words, here.why].filter(Boolean).join(" ");
}

function mark(held, isGone) {
  // Who listens to a hand hears the cards that are played as struck out.
  const label = held.querySelector(".visually-hidden");
  const words = document.createElement(isGone ? "s" : "span");
  words.textContent = label.textContent;
  label.replaceChildren(words);
}

function link(control, target) {
  if (target) {
    control.href = address(...target);
    control.removeAttribute("tabindex");
    control.removeAttribute("role");
    control.removeAttribute("aria-disabled");
  } else {
    control.removeAttribute("href");
    control.tabIndex = 0; // who is on it stays on it
    control.setAttribute("role", "link");
    control.setAttribute("aria-disabled", "true");
  }
}

function take(step) {
  // Makes what the board holds now the round that is stepped through.
  steps = JSON.parse(board.querySelector("#steps").textContent);
  at = step;
  for (const hidden of board.querySelectorAll("#play, #scrub")) hidden.hidden = false;
  board.querySelector("#play").setAttribute("aria-pressed", String(timer !== undefined));
  const following = round() + 1;
  if (following <= rounds()) load(following).catch(() => fetched.delete(following));
}

function load(number) {
  if (!fetched.has(number)) {
    const asked = fetch(address(number, 0), { headers: { "X-Requested-With": "fetch" } });
    fetched.set(number, asked.then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.status)))));
  }
  return fetched.get(number);
}

async function go(target) {
  if (!target) return;
  const [number, step] = target;
  if (number !== round()) {
    const focused = document.activeElement?.dataset?.go ?? document.activeElement?.id;
    let text;
    try {
      text = await load(number);
    } catch {
      fetched.delete(number);
      location.assign(address(number, step));
      return;
    }
    const opened = [...board.querySelectorAll("details[id]")].map(({ id, open }) => [id, open]);
    board.innerHTML = text;
    for (const [id, open] of opened) document.getElementById(id).open = open;
    take(step);
    if (focused) (board.querySelector(`[data-go="${focused}"]`) ?? document.getElementById(focused))?.focus({ preventScroll: true });
  }
  at = step;
  show();
  history.replaceState(null, "", address(number, step));
}

function play(isOn) {
  clearTimeout(timer);
  timer = isOn ? setTimeout(next, SECOND) : undefined;
  board.querySelector("#play").setAttribute("aria-pressed", String(isOn));
}

async function next() {
  const target = targets().next;
  if (!target) return play(false);
  await go(target);
  if (timer !== undefined) timer = setTimeout(next, steps[at].winner === null ? SECOND : 2 * SECOND);
}

board.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const clicked = event.target.closest("a, button");
  if (!clicked) return;
  const { go: way, step, roundLink } = clicked.dataset;
  if (clicked.id === "play") return play(timer === undefined);
  const target = way ? targets()[way] : step ? [round(), Number(step)] : roundLink && [Number(roundLink), 0];
  if (!way && !target) return;
  event.preventDefault();
  play(false);
  go(target);
});

board.addEventListener("input", (event) => {
  if (event.target.id !== "scrub") return;
  play(false);
  go([round(), Number(event.target.value)]);
});

const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", PageUp: "previous_round", PageDown: "next_round" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !(event.key in KEYS)) return;
  if (event.target.closest?.("input, select, textarea, .scroll-x")) return;
  // To scroll by these is everybody's habit; at the buttons they steer.
  if (!event.key.startsWith("Arrow") && !event.target.closest?.(".steering")) return;
  event.preventDefault();
  play(false);
  go(targets()[KEYS[event.key]]);
});

take(Number(scene().dataset.step));
