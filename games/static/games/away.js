// What happened while the player was away: told in a number first, played back at a tap, so that nothing is given away.

import { forget, keep, kept } from "../site/site.js";

const TRICKS_WORTH_IT = 2;

export class Away {
  constructor(path, { playBack, scene, done }) {
    Object.assign(this, { path, playBack, scene, done, key: `seen:${path}` });
    this.bar = document.getElementById("away");
  }

  see(version) {
    // Remembers how far the player has seen; not while something still waits to be shown.
    if (this.bar.hidden && this.hasBegun) keep(this.key, version);
  }

  async begin() {
    const seen = Number(kept(this.key));
    const { version, status } = this.scene.querySelector(".table").dataset;
    this.hasBegun = true;
    if (status !== "active") return void forget(this.key);
    if (!seen || seen >= Number(version)) return this.see(version);
    const news = await fetch(`${this.path}news?after=${seen}`).then((answer) => answer.json()).catch(() => undefined);
    if (!news) return; // not seen, and so told the next time
    const tricks = news.events.filter((event) => event.type === "trick.won").length;
    if (tricks < TRICKS_WORTH_IT) return this.see(version);
    document.getElementById("away-count").textContent = news.missed;
    this.bar.hidden = false;
    this.scene.classList.add("is-away");
    document.getElementById("play-back").addEventListener("click", () => this.show(news.events));
    document.getElementById("skip-back").addEventListener("click", () => this.end());
  }

  async show(events) {
    this.bar.hidden = true;
    this.scene.classList.remove("is-away");
    for (const slot of this.scene.querySelectorAll(".slot")) slot.replaceChildren();
    for (const count of this.scene.querySelectorAll("[data-tricks]")) count.textContent = "0";
    await this.playBack(events);
    this.end();
  }

  end() {
    this.bar.hidden = true;
    this.scene.classList.remove("is-away");
    const table = this.scene.querySelector(".table");
    this.see(table.dataset.version);
    table.dataset.version = "";
    this.done();
  }
}
