// The player's own randomness: made here, after the hashes of what the server deals from are on this device.
// A form goes without it where anything of this fails.

const KEEP = 100;

function remember(game, commitments, seed) {
  // What was promised, and what is brought: the page that checks the deals compares both with what is shown later.
  const games = [...JSON.parse(localStorage.getItem("games") ?? "[]").filter((known) => known !== game), game];
  for (const old of games.splice(0, games.length - KEEP)) {
    localStorage.removeItem(`commitments:${old}`);
    localStorage.removeItem(`seed:${old}`);
  }
  localStorage.setItem("games", JSON.stringify(games)); // the oldest first
  localStorage.setItem(`commitments:${game}`, JSON.stringify(commitments));
  localStorage.setItem(`seed:${game}`, seed);
}

function forget(form) {
  // No seed goes along this time: an older one would look as if it had been left out.
  try {
    const [game] = form.action.match(/[0-9a-f]{32}/) ?? [];
    if (game) localStorage.removeItem(`seed:${game}`);
  } catch {
    // Nothing is kept here at all.
  }
}

function randomSeed() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function ask(address, options) {
  const answer = await fetch(address, { ...options, signal: AbortSignal.timeout(5_000) });
  if (!answer.ok) throw new Error(answer.status);
  return answer.json();
}

const PROMISED = {
  join: (form) => ask(form.dataset.commitments),
  create: async (form) => {
    const promised = await ask(form.dataset.reserve, { method: "POST", body: new FormData(form) });
    for (const token of document.querySelectorAll("[name=csrfmiddlewaretoken]")) token.value = promised.token;
    form.elements.reservation.value = promised.reservation;
    return promised;
  },
};

async function seed(form) {
  try {
    const promised = await PROMISED[form.dataset.seed](form);
    const made = randomSeed();
    remember(promised.game_id, promised.commitments, made);
    form.elements.client_seed.value = made;
  } catch {
    form.elements.client_seed.value = "";
    forget(form);
  }
}

for (const form of document.querySelectorAll("form[data-seed]")) {
  let state = "idle";
  form.addEventListener("submit", async (event) => {
    if (state === "seeded") return;
    event.preventDefault();
    if (state === "seeding") return;
    state = "seeding";
    form.setAttribute("aria-busy", "true");
    await seed(form);
    state = "seeded";
    form.requestSubmit(event.submitter);
  });
  addEventListener("pageshow", () => {
    // Back from the page that followed: a second game gets a seed of its own.
    state = "idle";
    form.removeAttribute("aria-busy");
  });
}
