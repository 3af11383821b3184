// Cards on their way: quick, never needed, and over at once when somebody is in a hurry.

const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
let hurry = false;
const running = new Set();

// Nothing moves in a page that is not seen, and what waits for a flight to end would wait with it.
document.addEventListener("visibilitychange", () => document.hidden && land());

function land() {
  for (const end of running) end();
}

export function hurryUp() {
  hurry = true;
  land();
}

export function calmDown() {
  hurry = false;
}

export function pause(milliseconds) {
  if (hurry || document.hidden) return Promise.resolve();
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      running.delete(end);
      done();
    };
    const timer = setTimeout(end, milliseconds);
    running.add(end);
  });
}

export async function fly(card, from, to, milliseconds = 240) {
  // Moves a picture of *card* between two rectangles, above everything.
  if (hurry || document.hidden || isCalm.matches || !from.width || !to.width) return;
  const moving = card.cloneNode(true);
  moving.classList.add("moving");
  document.body.append(moving);
  const at = (box) => `translate(${box.left}px, ${box.top}px)`;
  moving.style.width = `${to.width}px`;
  const flight = moving.animate(
    [{ transform: at(centred(from, to)) }, { transform: at(to) }],
    { duration: milliseconds, easing: "cubic-bezier(.2,.7,.3,1)" },
  );
  const end = () => flight.finish();
  running.add(end);
  await flight.finished.catch(() => {});
  running.delete(end);
  moving.remove();
}

function centred(box, size) {
  // Where a thing of that size is when its middle is the middle of *box*.
  return { left: box.left + (box.width - size.width) / 2, top: box.top + (box.height - size.height) / 2 };
}
