// @ts-check
/**
 * The fields of one hand: five callers, five called, two numbers by two taps each. Used where a hand is recorded and
 * where it is mended. The keys keep their places; what is impossible cannot be pressed.
 *
 * Without script the same fields are radio buttons and numbers.
 */
import { CARD_POINTS, fivePoints, score, signed } from "./points.js";

/** @typedef {import("./points.js").Hand} Hand */

/** @param {ParentNode} root @param {string} selector @returns {HTMLInputElement[]} */
function inputs(root, selector) {
  return [...root.querySelectorAll(selector)].filter((one) => one instanceof HTMLInputElement);
}

/** A number by two taps: tens, then units; or typed. */
class Amount {
  /** @param {HTMLElement} box @param {() => void} changed */
  constructor(box, changed) {
    const [input] = inputs(box, "input");
    if (!input) throw new Error("an amount has an input");
    this.box = box;
    this.input = input;
    this.low = Number(box.dataset.low);
    this.changed = changed;
    /** @type {number | null} */
    this.tens = null;
    input.addEventListener("input", () => this.read());
    box.addEventListener("click", (event) => {
      const key = event.target instanceof Element ? event.target.closest("button") : null;
      if (key?.dataset.tens !== undefined) this.tapTens(Number(key.dataset.tens));
      if (key?.dataset.units !== undefined) this.tapUnits(Number(key.dataset.units));
    });
    this.read();
  }

  /** The number, null as long as it is not whole or not possible. */
  get value() {
    const text = this.input.value.trim();
    const value = Number(text);
    return /^\d{1,3}$/.test(text) && this.possible(value) ? value : null;
  }

  /** @param {number} value */
  possible(value) {
    return value >= this.low && value <= CARD_POINTS;
  }

  read() {
    const { value } = this;
    this.tens = value === null ? null : Math.floor(value / 10) * 10;
    this.show();
  }

  /** @param {string} text */
  set(text) {
    this.input.value = text;
    this.read();
  }

  /** @param {number} tens */
  tapTens(tens) {
    this.tens = tens;
    this.input.value = tens === CARD_POINTS ? String(tens) : ""; // 120 has no units
    this.show();
  }

  /** @param {number} units */
  tapUnits(units) {
    if (this.tens === null) return;
    this.input.value = String(this.tens + units);
    this.show();
  }

  show() {
    const { value, tens } = this;
    this.input.placeholder = tens === null || value !== null ? "" : `${tens / 10}…`;
    for (const key of this.box.querySelectorAll("button")) {
      if (key.dataset.tens !== undefined) {
        const from = Number(key.dataset.tens);
        key.disabled = !this.possible(Math.max(from, Math.min(this.low, from + 9)));
        key.setAttribute("aria-pressed", String(tens === from));
      } else {
        const units = Number(key.dataset.units);
        key.disabled = tens === null || !this.possible(tens + units);
        key.setAttribute("aria-pressed", String(value !== null && tens !== null && value - tens === units));
      }
    }
    this.changed();
  }
}

/** One of the five. */
class Seats {
  /** @param {HTMLElement} box @param {() => void} changed */
  constructor(box, changed) {
    this.buttons = inputs(box, "input");
    this.names = this.buttons.map((button) => button.parentElement?.querySelector(".seat-name")?.textContent ?? "");
    box.addEventListener("change", changed);
  }

  /** @returns {number | null} */
  get value() {
    const at = this.buttons.findIndex((button) => button.checked);
    return at < 0 ? null : at;
  }

  /** @param {string} text a seat, "" for none */
  set(text) {
    for (const button of this.buttons) button.checked = button.value === text;
  }

  /** The seat of a key: 1 to 5, or the first letter of a name; the next of several with that letter.
   * @param {string} key @returns {HTMLInputElement | undefined} */
  of(key) {
    if (/^[1-5]$/.test(key)) return this.buttons[Number(key) - 1];
    const letter = plain(key);
    const now = this.value ?? -1;
    const found = this.names.map((name, at) => (plain(name).startsWith(letter) ? at : -1)).filter((at) => at >= 0);
    return this.buttons[found.find((at) => at > now) ?? found[0] ?? -1];
  }

  focus() {
    (this.buttons.find((button) => button.checked) ?? this.buttons[0])?.focus();
  }
}

/** A letter without its accents; the four i's of Turkish are one. @param {string} text */
function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace("ı", "i");
}

/** The fields in a form. `changed` is called after every change. */
export class HandFields {
  /** @param {HTMLFormElement} form @param {() => void} changed */
  constructor(form, changed) {
    const told = () => { if (this.whole) changed(); };
    this.whole = false;
    /** @param {string} name */
    const box = (name) => /** @type {HTMLElement} */ (form.querySelector(`[data-seats=${name}], [data-amount=${name}]`));
    this.form = form;
    this.caller = new Seats(box("caller"), told);
    this.called = new Seats(box("called"), told);
    this.bid = new Amount(box("bid"), told);
    this.made = new Amount(box("made"), told);
    this.whole = true;
    form.addEventListener("keydown", (event) => this.key(event));
  }

  /** The hand, null as long as something is missing. @returns {Hand | null} */
  get hand() {
    const { caller: { value: caller }, called: { value: called }, bid: { value: bid }, made: { value: made } } = this;
    return caller === null || called === null || bid === null || made === null ? null : { caller, called, bid, made };
  }

  /** Something was chosen or typed. */
  get begun() {
    const { caller, called, bid, made } = this;
    return caller.value !== null || called.value !== null || [bid, made].some((one) => one.tens !== null || one.input.value);
  }

  /** @param {{ caller?: string, called?: string, bid?: string, made?: string }} values what is left out is emptied */
  set({ caller = "", called = "", bid = "", made = "" }) {
    this.caller.set(caller);
    this.called.set(called);
    this.bid.set(bid);
    this.made.set(made);
  }

  /** Puts the cursor into the first field that is not filled in; false if all are. */
  focusMissing() {
    const missing = [this.caller, this.called, this.bid.value === null && this.bid.input, this.made.value === null && this.made.input]
      .find((one) => one instanceof Seats ? one.value === null : one);
    if (missing) missing.focus();
    return Boolean(missing);
  }

  /** Letters and digits choose a player and go on to the next field; Enter goes on to what is missing.
   * @param {KeyboardEvent} event */
  key(event) {
    const { target, key } = event;
    if (!(target instanceof HTMLInputElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "Enter" && target.type !== "text") {
      event.preventDefault();
      const save = this.form.querySelector("[data-save]");
      if (!this.focusMissing() && save instanceof HTMLElement) this.form.requestSubmit(save);
      return;
    }
    if (target.type !== "radio" || !/^[\p{L}\d]$/u.test(key)) return;
    const seats = target.name === "caller" ? this.caller : this.called;
    const button = seats.of(key);
    if (!button) return;
    event.preventDefault();
    button.checked = true;
    button.dispatchEvent(new Event("change", { bubbles: true }));
    // One key is enough where it says all; a letter that several names begin with may be pressed again.
    if (/\d/.test(key) || seats.names.filter((name) => plain(name).startsWith(plain(key))).length === 1) {
      if (seats === this.caller) this.called.focus();
      else this.bid.input.focus();
    } else {
      button.focus();
    }
  }
}

/** Shows what a hand gives in the preview of a form, and says it once. @param {HTMLFormElement} form
 * @param {Hand | null} hand @param {string[]} names @param {number[] | null} totals @param {string} words */
export function showScores(form, hand, names, totals, words) {
  const points = hand && fivePoints(hand);
  form.querySelectorAll("[data-preview] > li").forEach((cell, at) => {
    cell.classList.toggle("is-plus", Boolean(points && (points[at] ?? 0) > 0));
    cell.classList.toggle("is-minus", Boolean(points && (points[at] ?? 0) < 0));
    put(cell, "[data-points]", points ? signed(points[at] ?? 0) : "·");
    put(cell, "[data-total]", totals ? score((totals[at] ?? 0) + (points?.[at] ?? 0)) : "");
  });
  const list = points ? names.map((name, at) => `${name} ${signed(points[at] ?? 0)}`).join(", ") : "";
  put(form, "[data-scores]", list && words.replace("{list}", list));
}

/** @param {ParentNode} root @param {string} selector @param {string} text */
export function put(root, selector, text) {
  const found = root.querySelector(selector);
  if (found && found.textContent !== text) found.textContent = text;
}

/** A sentence with its holes filled. @param {string | undefined} words
 * @param {Record<string, string | number>} values @returns {string} */
export function filled(words, values) {
  return (words ?? "").replace(/\{(\w+)\}/g, (hole, name) => String(values[name] ?? hole));
}
