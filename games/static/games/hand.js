// The hand: a card is played by a tap, by dragging it up, or by the keyboard; one held back says why.

const DRAG_FROM = 8;
const PLAY_FROM = 60;

export function tendHand(root, { play, refuse }) {
  const form = root.querySelector("#hand");
  if (!form) return;
  const buttons = [...form.querySelectorAll(".hand-card")];
  const confirms = root.querySelector(".table").dataset.confirms !== undefined;
  const confirmRow = form.querySelector("#confirm");
  let chosen;

  const choose = (button) => {
    chosen?.closest("li").classList.remove("is-chosen");
    chosen = button;
    chosen?.closest("li").classList.add("is-chosen");
    confirmRow.hidden = !chosen;
  };
  const want = (button) => {
    if (button.getAttribute("aria-disabled") === "true") return refuse(button.dataset.why || form.dataset.wait);
    if (confirms && chosen !== button) return choose(button);
    return play(button);
  };

  let suppressed = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (suppressed) suppressed = false;
    else if (event.submitter?.value) want(event.submitter);
  });
  form.querySelector("#confirm-play").addEventListener("click", () => chosen && play(chosen));
  form.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(event.target);
    const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 };
    if (event.key === "Escape") choose(undefined);
    if (at < 0 || !(event.key in steps)) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(buttons.length - 1, steps[event.key]))].focus();
  });
  for (const button of buttons) drag(button, () => { suppressed = true; setTimeout(() => { suppressed = false; }, 60); }, want);
}

function drag(button, suppress, drop) {
  const item = button.closest("li");
  let start;
  button.addEventListener("pointerdown", (event) => {
    if (event.button || button.getAttribute("aria-disabled") === "true") return;
    start = { x: event.clientX, y: event.clientY, id: event.pointerId, isMoving: false };
    button.setPointerCapture(start.id); // a quick hand is off the card before the first move is told
  });
  button.addEventListener("pointermove", (event) => {
    if (!start || event.pointerId !== start.id) return;
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    if (!start.isMoving && Math.hypot(x, y) < DRAG_FROM) return;
    start.isMoving = true;
    item.classList.add("is-dragged");
    item.style.transform = `translate(${x}px, ${y}px)`;
  });
  const end = (event) => {
    if (!start || event.pointerId !== start.id) return;
    const wasMoving = start.isMoving;
    const up = start.y - event.clientY;
    start = undefined;
    if (!wasMoving) return;
    suppress();
    if (event.type === "pointerup" && up > PLAY_FROM) drop(button);
    item.classList.remove("is-dragged");
    item.style.transform = "";
  };
  button.addEventListener("pointerup", end);
  button.addEventListener("pointercancel", end);
}
