// @ts-check
/**
 * The page that rings in a hall, for every table that somebody keeps. It tells the house every ten seconds that its
 * sound is on, and hears with the answer which bells have rung; after a signal it asks at once. A bell that rang before
 * the page came for the first time is known already, and so is one that it has rung.
 */
import { arm, disarm, ring, shake, show } from "./bell.js";
import { csrfToken } from "./queue.js";

/** @typedef {{ match: string, table: string, words: string, rung: string }} Table */
/** @typedef {{ kept: boolean, words: string, tables: Table[] }} Told */

const BEAT = 10_000; // ms
const KNOWN = "ringer:known";
const NAME = "ringer:device";

class Ringer {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    this.url = box.dataset.ringer ?? "";
    this.device = sessionStorage.getItem(NAME) ?? name();
    sessionStorage.setItem(NAME, this.device);
    const rows = [...document.querySelectorAll("[data-rung]")].map((row) => /** @type {HTMLElement} */ (row).dataset.rung ?? "");
    /** @type {Set<string>} */
    this.known = new Set(JSON.parse(sessionStorage.getItem(KNOWN) ?? JSON.stringify(rows)));
    /** @type {Set<string>} topics that are listened to */
    this.topics = new Set();
    /** @type {string[]} tables whose bell nobody has answered here */
    this.ringing = [];
    /** @type {WakeLockSentinel | null} */
    this.wake = null;
    this.armed = false;
    this.asking = false;
    this.wanted = false;
    this.part("data-arm")?.addEventListener("click", async () => { if (await arm()) ring(true); });
    this.part("data-test")?.addEventListener("click", () => ring(true));
    this.part("data-disarm")?.addEventListener("click", () => void disarm());
    document.addEventListener("gingodrome:sound", (event) => this.sounds(Boolean(/** @type {CustomEvent} */ (event).detail)));
    document.addEventListener("visibilitychange", () => void this.stayAwake());
    window.addEventListener("pagehide", () => {
      const gone = new FormData();
      for (const [field, value] of [["device", this.device], ["armed", "0"], ["csrfmiddlewaretoken", csrfToken()]]) gone.set(field ?? "", value ?? "");
      navigator.sendBeacon(this.url, gone);
    });
    this.listen(["resync", ...(box.dataset.topics ?? "").split(" ")]);
    setInterval(() => void this.tell(), BEAT);
    void this.tell();
  }

  /** @param {string} mark */
  part(mark) {
    const found = this.box.querySelector(`[${mark}]`);
    return found instanceof HTMLElement ? found : null;
  }

  /** @param {Iterable<string>} topics */
  listen(topics) {
    for (const topic of topics) {
      if (!topic || this.topics.has(topic)) continue;
      this.topics.add(topic);
      document.body.addEventListener(`live:${topic}`, () => void this.tell());
    }
  }

  /** @param {boolean} on */
  sounds(on) {
    this.armed = on;
    this.box.classList.toggle("is-armed", on);
    for (const [mark, shown] of /** @type {const} */ ([["data-arm", !on], ["data-test", on], ["data-disarm", on]])) {
      const button = this.part(mark);
      if (button) button.hidden = !shown;
    }
    void this.stayAwake();
    void this.tell();
  }

  /** One after the other; what happens while one is on its way asks once more. */
  async tell() {
    this.wanted = true;
    if (this.asking) return;
    this.asking = true;
    try {
      while (this.wanted) {
        this.wanted = false;
        const armed = this.armed;
        const answer = await fetch(this.url, {
          method: "POST",
          headers: { Accept: "application/json", "X-CSRFToken": csrfToken() },
          body: new URLSearchParams({ device: this.device, armed: armed ? "1" : "0" }),
        });
        if (!answer.ok) throw new Error(String(answer.status));
        this.hear(await answer.json());
      }
    } catch {
      this.say(this.armed ? "alone" : "off");
    } finally {
      this.asking = false;
    }
  }

  /** @param {Told} told */
  hear({ kept, words, tables }) {
    if (!this.wanted) this.say(kept ? "on" : this.armed ? "alone" : "off");
    const others = this.part("data-others");
    if (others) others.textContent = words;
    this.listen(tables.map(({ match }) => `sheet:${match}`));
    this.list(tables);
    const rung = tables.filter((one) => one.rung && !this.known.has(one.rung));
    for (const one of rung) this.known.add(one.rung);
    sessionStorage.setItem(KNOWN, JSON.stringify([...this.known]));
    if (rung.length) void this.rings(rung.map(({ table }) => table));
  }

  /** How this device stands: `off`, `on` or `alone`. @param {string} how */
  say(how) {
    this.box.dataset.armed = how;
    const state = this.part("data-state");
    if (state) state.textContent = this.box.dataset[how] ?? "";
  }

  /** @param {Table[]} tables */
  list(tables) {
    const box = document.querySelector("[data-tables]");
    const none = document.querySelector("[data-none]");
    if (!(box instanceof HTMLElement) || !(none instanceof HTMLElement)) return;
    box.hidden = tables.length === 0;
    none.hidden = !box.hidden;
    box.replaceChildren(...tables.map((one) => {
      const row = document.createElement("li");
      const named = document.createElement("span");
      const state = document.createElement("span");
      [named.className, named.textContent, state.textContent] = ["who-name", one.table, one.words];
      row.dataset.rung = one.rung;
      row.append(named, state);
      return row;
    }));
  }

  /** Rings, and names every table until somebody goes on. @param {string[]} tables */
  async rings(tables) {
    ring();
    shake();
    const open = this.ringing.length > 0;
    this.ringing.push(...tables);
    const panel = document.querySelector("[data-panel]");
    const names = panel?.querySelector("[data-names]");
    const words = (this.box.dataset.rings ?? "").replace("{table}", this.ringing.join(", "));
    if (names) names.textContent = this.ringing.join(", ");
    if (!(panel instanceof HTMLDialogElement)) return;
    if (open) {
      const spoken = panel.querySelector("[aria-live]");
      if (spoken) spoken.textContent = words;
      return;
    }
    await show(panel, words);
    this.ringing = [];
  }

  /** Browsers that can keep a screen on do so while it is armed; on plain http none can. */
  async stayAwake() {
    const words = this.part("data-wake");
    if (this.armed && document.visibilityState === "visible" && (this.wake === null || this.wake.released)) {
      this.wake = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
    } else if (!this.armed) {
      await this.wake?.release();
      this.wake = null;
    }
    const { awake = "", asleep = "" } = this.box.dataset;
    if (words) words.textContent = !this.armed ? "" : this.wake ? awake : asleep;
  }
}

const name = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const box = document.querySelector("[data-ringer]");
if (box instanceof HTMLElement) new Ringer(box);
