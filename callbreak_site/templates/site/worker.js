// Pages come from the network; without one the last copy of a page is shown, or a page that says so.
const SHELL = "shell-{{ release }}";
const SEEN = "seen";
const OFFLINE = "/offline";
const FILES = [OFFLINE, {% for file in shell %}"{{ file|escapejs }}", {% endfor %}];
const KEPT = /^\/(games\/[0-9a-f]{32}\/)?$/;
const PAGES_KEPT = 20;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = (names) => Promise.all(names.filter((name) => ![SHELL, SEEN].includes(name)).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(old).then(() => self.clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  // What one person saw is not for the next one at this device.
  if (request.method === "POST" && /^\/account\/(sign-|close|forgotten)/.test(pathname)) event.waitUntil(caches.delete(SEEN));
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(event, pathname));
  else if (pathname.startsWith("/static/")) event.respondWith(file(event));
});

async function page(event, pathname) {
  try {
    const answer = await fetch(event.request);
    if (answer.ok && !answer.redirected && KEPT.test(pathname)) inPassing(event, keep(pathname, answer.clone()));
    return answer;
  } catch {
    const seen = await caches.open(SEEN);
    return (await seen.match(pathname)) ?? (await caches.match(OFFLINE)) ?? Response.error();
  }
}

async function keep(pathname, answer) {
  const seen = await caches.open(SEEN);
  await seen.put(pathname, answer);
  const paths = await seen.keys();
  await Promise.all(paths.slice(0, Math.max(0, paths.length - PAGES_KEPT)).map((path) => seen.delete(path)));
}

async function file(event) {
  try {
    const answer = await fetch(event.request);
    const copy = answer.clone();
    if (answer.ok) inPassing(event, caches.open(SHELL).then((cache) => cache.put(event.request, copy)));
    return answer;
  } catch {
    return (await caches.match(event.request)) ?? Response.error();
  }
}

function inPassing(event, keeping) {
  // Nobody waits for it, and where there is no room left everything else goes on.
  event.waitUntil(keeping.catch(() => {}));
}
