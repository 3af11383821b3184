// What happens at a table, in order and each thing once: by a stream, and where no stream comes through by asking.

const POLL_EVERY = 5_000;
const POLL_WHILE_HIDDEN = 30_000;
const TRY_STREAM_AFTER = 30_000;
const SILENCE = 40_000; // the server says every twelve seconds that it is there
const HIDDEN_FOR = 60_000; // a browser has six connections to a host, for all of its tabs
const PATIENCE = 15_000;

export class Feed {
  // *path* ends with a slash; *hear* gets each event after *version* once; *connected* is told true or false.
  constructor(path, version, hear, connected) {
    Object.assign(this, { path, version, hear, connected, isPulling: false });
    this.listen();
    setInterval(() => this.check(), TRY_STREAM_AFTER / 3);
    addEventListener("online", () => this.wake());
    addEventListener("pageshow", (event) => event.persisted && this.wake());
    document.addEventListener("visibilitychange", () => this.look());
  }

  listen() {
    this.rest();
    this.heard = Date.now();
    this.source = new EventSource(`${this.path}stream?after=${this.version}`);
    this.source.onopen = () => {
      this.heard = Date.now();
      this.ask(0);
      this.connected(true);
    };
    this.source.onmessage = (message) => {
      this.heard = Date.now();
      this.take([JSON.parse(message.data)]);
    };
    this.source.addEventListener("alive", () => { this.heard = Date.now(); });
    this.source.addEventListener("end", () => { this.rest(); this.isOver = true; });
    this.source.onerror = () => {
      // The browser tries again by itself unless the answer was no stream at all; meanwhile we ask.
      this.ask(POLL_EVERY);
      this.pull();
    };
  }

  rest() {
    this.source?.close();
    this.source = undefined;
  }

  ask(every) {
    if (this.every === every) return;
    this.every = every;
    clearInterval(this.poll);
    if (every) this.poll = setInterval(() => this.pull(), every);
  }

  check() {
    // A connection that died in silence, as after a sleep, looks open for many minutes.
    if (this.isOver || document.hidden) return;
    if (!this.source || Date.now() - this.heard > SILENCE) this.wake();
    else if (this.source.readyState === EventSource.CLOSED && Date.now() - this.heard > TRY_STREAM_AFTER) this.listen();
  }

  look() {
    clearTimeout(this.leaving);
    if (!document.hidden) return this.wake();
    this.leaving = setTimeout(() => {
      this.rest();
      if (!this.isOver) this.ask(POLL_WHILE_HIDDEN);
    }, HIDDEN_FOR);
  }

  wake() {
    if (this.isOver) return;
    this.pull();
    const isFresh = this.source && this.source.readyState !== EventSource.CLOSED && Date.now() - this.heard < SILENCE;
    if (!isFresh) this.listen();
  }

  async pull() {
    if (this.isPulling) return;
    this.isPulling = true;
    try {
      const headers = { Accept: "application/json" };
      const answer = await fetch(`${this.path}news?after=${this.version}`, { headers, signal: AbortSignal.timeout?.(PATIENCE) });
      if ([401, 403, 404].includes(answer.status)) return this.leave();
      if (!answer.ok) throw new Error(answer.status);
      const news = await answer.json();
      if (news.version < this.version) return this.leave(); // the server was brought back from a backup
      this.connected(true);
      this.take(news.events);
      if (this.version < news.version && news.events.length) setTimeout(() => this.pull());
    } catch {
      this.connected(false);
    } finally {
      this.isPulling = false;
    }
  }

  leave() {
    // Not ours to see any more, or another game than the one we knew: the page itself says what is the matter.
    this.isOver = true;
    this.rest();
    this.ask(0);
    location.reload();
  }

  take(events) {
    for (const event of events) {
      if (event.version <= this.version) continue;
      if (event.version > this.version + 1) return void this.pull(); // something between is missing
      this.version = event.version;
      this.hear(event);
    }
  }
}
