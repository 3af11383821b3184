// What happens at a table, in order and each thing once: by a stream, and where no stream comes through by asking.

const POLL_EVERY = 5_000;
const TRY_STREAM_AFTER = 30_000;
const PATIENCE = 15_000;

export class Feed {
  // *path* ends with a slash; *hear* gets each event after *version* once; *connected* is told true or false.
  constructor(path, version, hear, connected) {
    Object.assign(this, { path, version, hear, connected, isPulling: false });
    this.listen();
    addEventListener("online", () => this.wake());
    addEventListener("pageshow", (event) => event.persisted && this.wake());
    document.addEventListener("visibilitychange", () => !document.hidden && this.wake());
  }

  listen() {
    this.source?.close();
    this.source = new EventSource(`${this.path}stream?after=${this.version}`);
    this.source.onopen = () => {
      clearInterval(this.poll);
      this.poll = undefined;
      this.connected(true);
    };
    this.source.onmessage = (message) => this.take([JSON.parse(message.data)]);
    this.source.addEventListener("end", () => this.source.close());
    this.source.onerror = () => this.fall();
  }

  fall() {
    // The browser tries again by itself unless the answer was no stream at all; meanwhile we ask.
    this.poll ??= setInterval(() => this.pull(), POLL_EVERY);
    this.pull();
    if (this.source.readyState === EventSource.CLOSED) {
      clearTimeout(this.again);
      this.again = setTimeout(() => this.listen(), TRY_STREAM_AFTER);
    }
  }

  wake() {
    this.pull();
    if (this.source.readyState === EventSource.CLOSED) this.listen();
  }

  async pull() {
    if (this.isPulling) return;
    this.isPulling = true;
    try {
      const headers = { Accept: "application/json" };
      const answer = await fetch(`${this.path}news?after=${this.version}`, { headers, signal: AbortSignal.timeout?.(PATIENCE) });
      if (!answer.ok) throw new Error(answer.status);
      const news = await answer.json();
      this.connected(true);
      this.take(news.events);
      if (this.version < news.version && news.events.length) setTimeout(() => this.pull());
    } catch {
      this.connected(false);
    } finally {
      this.isPulling = false;
    }
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
