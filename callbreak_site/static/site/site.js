// On every page: times in the reader's own zone, choices that take effect at once, the app's service worker.

const zone = document.documentElement.dataset.zone || undefined;

export function localTimes(root = document) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.valueOf())) continue;
    const isNear = Math.abs(at - Date.now()) < 6 * 86_400_000;
    const shape = isNear
      ? { weekday: "short", hour: "numeric", minute: "2-digit" }
      : { dateStyle: "medium", timeStyle: "short" };
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, { ...shape, timeZone: zone }).format(at);
    time.title = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "full", timeStyle: "long", timeZone: zone }).format(at);
  }
}

// What a browser keeps for itself; some keep nothing, and the pages do without.
export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Full, or not allowed.
  }
}

export function forget(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing is kept here at all.
  }
}

localTimes();
document.querySelector(".languages select")?.addEventListener("change", (event) => event.target.form.requestSubmit());
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
  });
}
for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = !navigator.share;
  button.addEventListener("click", () => navigator.share({ url: button.dataset.share }).catch(() => {}));
}
// Not at the forms: those of the table are put in anew after every move.
document.addEventListener("submit", (event) => {
  const question = event.target.dataset.ask;
  if (question && !window.confirm(question)) event.preventDefault();
});
navigator.serviceWorker?.register("/sw.js").catch(() => {}); // the site does without, where it is not allowed
