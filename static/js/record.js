// @ts-check
/**
 * Recording a hand with one thumb, by keyboard, and without a network: the hand goes into the queue (queue.js), the
 * form is empty for the next one at once, and "saved" is said when the server's receipt is there.
 *
 * What the server knows comes with the page (data-state) and again after every signal; what waits in the queue is
 * played on top of it, so that number, dealer and totals are right in a hall without network. A hand that was begun
 * keeps its number, whatever others write: a conflict is shown, never made.
 */
import { HandFields, filled, put, showScores } from "./hand.js";
import { disloyalPoints, fivePoints, signed, suicidalPoints } from "./points.js";
import { addressOf, commands, csrfToken, discard, give, send } from "./queue.js";

/** @typedef {import("./points.js").Hand} Hand */
/** @typedef {import("./queue.js").Command} Command */
/** @typedef {{ version: number, hand: number, line: number, dealer: number, totals: number[], offences: number[], dealt: number,
 *   last: (Hand & { line: number, hand: number }) | null, pending: Plain | null, waits: string, open: boolean,
 *   records: boolean, names: string[], low: number, above: number, disloyal: number[], suicidal: number }} State */
/** @typedef {{ kind?: string, caller?: number, called?: number, bid?: number, made?: number }} Plain */

/** One hand further. @param {State} state @param {Plain} hand @returns {State} */
function after(state, { kind, caller = 0, called = 0, bid = 0, made = 0 }) {
  const next = { ...state, hand: state.hand + 1, line: state.line + 1, totals: [...state.totals] };
  if (kind === "admitted") {
    const offence = (state.offences[caller] ?? 0) + 1;
    next.offences = state.offences.map((count, seat) => (seat === caller ? offence : count));
    next.totals[caller] = (next.totals[caller] ?? 0) + disloyalPoints(offence, state.disloyal);
    next.last = null;
    return next; // the same player deals again
  }
  fivePoints({ caller, called, bid, made }).forEach((points, seat) => { next.totals[seat] = (next.totals[seat] ?? 0) + points; });
  next.dealer = (state.dealer + 1) % state.names.length;
  next.last = { line: state.line, hand: state.hand, caller, called, bid, made };
  return next;
}

/** Sends a form that stands on no page. @param {string} url @param {[string, string][]} body */
function post(url, body) {
  const form = document.createElement("form");
  form.method = "post";
  form.setAttribute("action", url);
  for (const [name, value] of [...body, ["csrfmiddlewaretoken", csrfToken()]]) {
    const field = document.createElement("input");
    [field.type, field.name, field.value] = ["hidden", name ?? "", value ?? ""];
    form.append(field);
  }
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form);
}

/** @param {Command} command @returns {Record<string, string>} */
const fields = (command) => Object.fromEntries(command.body);

/** @param {Command} command @returns {Plain & { hand: number }} */
function plain(command) {
  const { kind, ...rest } = fields(command);
  const [caller, called, bid, made, hand] = ["caller", "called", "bid", "made", "hand"].map((name) => Number(rest[name] ?? 0));
  return { kind: kind === "admission" ? "admitted" : kind, caller, called, bid, made, hand: hand ?? 0 };
}

class Recorder {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    const { match = "", state = "{}", words = "{}", matchHref = "/" } = form.dataset;
    this.form = form;
    this.url = addressOf(form);
    this.match = match;
    this.matchHref = matchHref;
    /** @type {Record<string, string>} */
    this.words = JSON.parse(words);
    /** @type {State} */
    this.server = JSON.parse(state);
    /** @type {Command[]} */
    this.queue = [];
    /** @type {Command | null} */
    this.mending = null;
    /** @type {number | null} the hand that was begun; null for an empty form */
    this.begun = null;
    this.event = ""; // what happened last, for the line
    this.byKeys = false;
    this.busy = false; // a hand is on its way to the disk
    this.stranger = false; // somebody else is signed in now, or nobody
    this.admission = document.querySelector("form[data-admission]");
    this.claim = document.querySelector("form[data-claim]");
    this.hand = new HandFields(form, () => this.show());
    this.wire();
    void this.refresh();
  }

  wire() {
    const { form, admission, claim } = this;
    form.addEventListener("keydown", () => { this.byKeys = true; });
    form.addEventListener("pointerdown", () => { this.byKeys = false; });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { hand } = this.hand;
      if (hand) void this.save({ kind: "played", ...hand });
    });
    if (admission instanceof HTMLFormElement) {
      admission.addEventListener("input", () => this.show());
      admission.addEventListener("submit", (event) => {
        event.preventDefault();
        const { caller, bid } = Object.fromEntries(new FormData(admission));
        void this.save({ kind: "admitted", caller: Number(caller), bid: Number(bid) });
        admission.reset();
        admission.closest("details")?.removeAttribute("open");
      });
    }
    if (claim instanceof HTMLFormElement) {
      claim.addEventListener("input", () => this.show());
      claim.addEventListener("submit", (event) => {
        event.preventDefault();
        void this.makeClaim(claim);
      });
    }
    document.addEventListener("gingodrome:queue", (event) => void this.heard(/** @type {CustomEvent} */ (event).detail));
    document.addEventListener("gingodrome:unsent", (event) => {
      this.stranger = /** @type {CustomEvent} */ (event).detail.why === "stranger";
      this.show();
    });
    for (const name of [`live:sheet:${this.match}`, "live:resync"]) {
      document.body.addEventListener(name, () => { void this.refresh().then(send); });
    }
    window.addEventListener("online", () => void this.refresh());
    window.addEventListener("offline", () => this.show());
  }

  /** What the server says now, and what waits here. */
  async refresh() {
    this.queue = await commands(this.match);
    this.show();
    try {
      const response = await fetch(this.url, { headers: { Accept: "application/json" } });
      if (response.ok) this.know(await response.json());
    } catch {
      // no network: what was known goes on
    }
    this.queue = await commands(this.match);
    this.show();
  }

  /** Takes what the server says, unless something newer is known already. @param {State} state */
  know(state) {
    if (state.version >= this.server.version) this.server = state;
  }

  /** The state with everything that waits played on top. @returns {State} */
  get here() {
    let state = this.server;
    if (state.pending) state = after(state, state.pending);
    for (const command of this.queue) {
      const hand = plain(command);
      if (isHand(command) && hand.hand === state.hand) state = after(state, hand);
    }
    return state;
  }

  /** @param {Plain} hand */
  async save(hand) {
    const number = this.mending ? this.mendedHand(this.mending) : (this.begun ?? this.here.hand);
    const label = `${filled(this.words.hand, { hand: number })}: ${this.told(hand)}`;
    const { kind = "played", ...numbers } = hand;
    /** @type {[string, string][]} */
    const body = [["action", "save"], ["kind", kind], ["hand", String(number)]];
    for (const [name, value] of Object.entries(numbers)) body.push([name, String(value)]);
    if (this.busy) return; // a second tap in the same moment
    this.busy = true;
    try {
      await give({ match: this.match, url: this.url, label, body }, this.mending ?? undefined);
    } catch {
      const key = this.form.elements.namedItem("key");
      const sent = key instanceof HTMLInputElement ? key.value : "";
      post(this.url, [...body, ["key", sent]]); // a browser that keeps nothing sends it as it stands
      return;
    } finally {
      this.busy = false;
    }
    this.mending = null;
    this.begun = null;
    if (kind === "played") this.hand.set({});
    this.show();
    if (this.byKeys) this.hand.caller.focus();
  }

  /** The number under which a refused hand is sent again. @param {Command} command */
  mendedHand(command) {
    return command.refused?.due ?? plain(command).hand;
  }

  /** @param {HTMLFormElement} form */
  async makeClaim(form) {
    const { last } = this.here;
    if (!last) return;
    const { kind = "", reason = "" } = Object.fromEntries(new FormData(form));
    const name = this.server.names[last.caller] ?? "";
    const label = `${filled(this.words.hand, { hand: last.hand })}: ${filled(this.words[String(kind)], { name })}`;
    await give({
      match: this.match,
      url: addressOf(form),
      label,
      body: [["kind", String(kind)], ["line", String(last.line)], ["hand", String(last.hand)], ["reason", String(reason)]],
    });
    form.reset();
    form.closest("details")?.removeAttribute("open");
  }

  /** @param {{ kind: string, command: Command, receipt?: import("./queue.js").Receipt }} told */
  async heard({ kind, command, receipt }) {
    if (command.match !== this.match) return;
    const hand = plain(command);
    if (kind === "saved") {
      const version = receipt?.version ?? this.server.version;
      if (isHand(command) && !receipt?.pending && hand.hand === this.server.hand) this.know({ ...after(this.server, hand), version });
      if (isHand(command) && receipt?.pending) this.know({ ...this.server, pending: hand, version });
      const words = isClaim(command) ? this.words.claimed : receipt?.pending ? this.words.proposed : this.words.saved;
      if (isHand(command) || isClaim(command)) this.event = filled(words, { hand: hand.hand });
    }
    this.queue = await commands(this.match);
    this.show();
    // A claim, and a hand that waits for a second person, are dealt with beside the sheet.
    if (kind === "saved" && !this.queue.length && !this.hand.begun && (receipt?.pending || isClaim(command))) {
      location.assign(this.matchHref);
    }
  }

  /** A hand as a phrase. @param {Plain} hand */
  told({ kind, caller = 0, called = 0, bid = 0, made = 0 }) {
    const words = kind === "admitted" ? this.words.admitted : caller === called ? this.words.alone : this.words.pair;
    const { names } = this.server;
    return filled(words, { caller: names[caller] ?? "", called: names[called] ?? "", bid, made });
  }

  show() {
    const state = this.here;
    const { form, hand: { hand, begun } } = this;
    if (!begun && !this.mending) this.begun = null;
    else if (this.begun === null) this.begun = this.mending ? this.mendedHand(this.mending) : state.hand;
    const number = this.begun ?? state.hand;
    put(form, "[data-hand]", filled(this.words.hand, { hand: number }));
    put(form, "[data-deals]", filled(this.words.deals, { name: state.names[state.dealer] ?? "" }));
    form.querySelectorAll("[data-seats=caller] .seat-key").forEach((key, seat) => key.classList.toggle("is-dealer", seat === state.dealer));
    showScores(form, hand, state.names, state.totals, this.words.scores ?? "");
    const save = form.querySelector("[data-save]");
    if (save instanceof HTMLButtonElement) save.disabled = hand === null || !this.server.open;
    this.showLine(number < state.hand && begun && !this.mending);
    this.showQueue();
    this.showCosts(state);
  }

  /** The line that keeps its place: how it stands with what was recorded. @param {boolean} taken */
  showLine(taken) {
    const waiting = this.queue.filter((command) => !command.refused).length;
    const { words } = this;
    const count = waiting === 1 ? words.waits_one : filled(words.waits_many, { count: waiting });
    const refused = this.queue.find((command) => command.refused);
    const line = !this.server.open ? words.closed
      : this.stranger ? words.stranger
      : taken ? filled(words.taken, { hand: this.begun ?? 0 })
      : refused ? `${refused.label}: ${words.refused}`
      : waiting ? `${navigator.onLine ? "" : `${words.offline} `}${this.server.waits && navigator.onLine ? words.later : count}`
      : !navigator.onLine ? words.offline
      : this.event;
    const box = this.form.querySelector("[data-line]");
    const mood = refused || this.stranger || taken ? "bad" : waiting || !navigator.onLine ? "waits" : this.event ? "good" : "";
    if (box instanceof HTMLElement) box.dataset.mood = mood;
    if (line) put(this.form, "[data-line]", line);
  }

  /** What waits, in order; what was refused with its choices. */
  showQueue() {
    const box = document.querySelector("[data-queued]");
    if (!(box instanceof HTMLElement)) return;
    box.hidden = this.queue.length === 0;
    box.querySelector("ul")?.replaceChildren(...this.queue.map((command) => this.row(command)));
  }

  /** @param {Command} command */
  row(command) {
    const row = document.createElement("li");
    const { refused } = command;
    row.className = refused ? "is-refused" : "";
    line(row, "queued-what", command.label);
    line(row, "queued-state", refused ? refused.sentence || this.words.unknown || "" : this.words.waiting ?? "");
    if (!refused) return row;
    const choices = document.createElement("p");
    choices.className = "row";
    if (["hand_taken", "stale_entry"].includes(refused.code)) choices.append(button(this.words.both, () => this.both(command)));
    if (isHand(command)) choices.append(button(this.words.mend, () => this.mend(command)));
    choices.append(button(this.words.discard, () => { if (confirm(this.words.sure)) void discard(command); }));
    row.append(choices);
    return row;
  }

  /** Opens the page that shows the hand on the sheet beside this one. @param {Command} command */
  both(command) {
    post(command.url, [...command.body, ["key", command.key], ["refused", command.key]]);
  }

  /** Puts a refused hand back into the form. @param {Command} command */
  mend(command) {
    this.mending = command;
    this.begun = this.mendedHand(command);
    const values = fields(command);
    if (values.kind === "admitted" && this.admission instanceof HTMLFormElement) {
      this.admission.closest("details")?.setAttribute("open", "");
      for (const field of this.admission.querySelectorAll("input")) {
        if (field.name === "caller") field.checked = field.value === values.caller;
        if (field.name === "bid") field.value = values.bid ?? "";
      }
      this.admission.scrollIntoView();
    } else {
      this.hand.set(values);
      this.form.scrollIntoView();
    }
    this.show();
  }

  /** What an admission or a claim would cost, before it is saved. @param {State} state */
  showCosts(state) {
    const { admission, claim, words } = this;
    if (admission instanceof HTMLFormElement) {
      const { caller, bid } = Object.fromEntries(new FormData(admission));
      const whole = caller !== undefined && Number(bid) >= state.low && Number(bid) <= 120;
      const offence = (state.offences[Number(caller)] ?? 0) + 1;
      const name = state.names[Number(caller)] ?? "";
      const cost = filled(words.cost, { name, offence, points: signed(disloyalPoints(offence, state.disloyal)) });
      const text = Number(bid) > state.above ? cost : filled(words.too_low, { bid: state.above });
      put(admission, "[data-cost]", whole ? text : "");
      const save = admission.querySelector("button[name=action]");
      if (save instanceof HTMLButtonElement) save.disabled = !whole || Number(bid) <= state.above;
    }
    if (claim instanceof HTMLFormElement) {
      const { last } = state;
      claim.closest("details")?.toggleAttribute("hidden", !last);
      if (!last) return;
      const { kind } = Object.fromEntries(new FormData(claim));
      const lost = Math.max(last.bid - last.made, 0);
      const name = state.names[last.caller] ?? "";
      const suicidal = filled(words.penalty, { name, points: signed(suicidalPoints(last.bid, last.made, state.suicidal)) });
      const offence = (state.offences[last.caller] ?? 0) + 1;
      const disloyal = filled(words.cost, { name, offence, points: signed(disloyalPoints(offence, state.disloyal, lost)) });
      const can = kind === "suicidal_call" ? lost > 0 : last.bid > state.above;
      const cannot = kind === "suicidal_call" ? words.won : filled(words.too_low, { bid: state.above });
      put(claim, "[data-last]", `${filled(words.hand, { hand: last.hand })}: ${this.told({ kind: "played", ...last })}`);
      put(claim, "[data-cost]", !can ? cannot ?? "" : kind === "suicidal_call" ? suicidal : disloyal);
      const save = claim.querySelector("button");
      if (save instanceof HTMLButtonElement) save.disabled = !can;
    }
  }
}

/** A hand, not a claim about one nor a deal. @param {Command} command */
function isHand(command) {
  const { kind, line } = fields(command);
  return ["played", "admitted", "admission"].includes(kind ?? "") && line === undefined; // the last from the penalty page
}

/** @param {Command} command */
function isClaim(command) {
  const { kind, line } = fields(command);
  return kind !== undefined && line !== undefined;
}

/** @param {HTMLElement} row @param {string} name @param {string} text */
function line(row, name, text) {
  const part = document.createElement("p");
  part.className = name;
  part.textContent = text;
  row.append(part);
}

/** @param {string | undefined} words @param {() => void} press */
function button(words, press) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button";
  made.textContent = words ?? "";
  made.addEventListener("click", press);
  return made;
}

/** The form that mends a hand of the sheet: the same fields and preview, sent at once. @param {HTMLFormElement} form */
function mender(form) {
  const { names } = JSON.parse(form.dataset.state ?? "{}");
  const words = JSON.parse(form.dataset.words ?? "{}");
  /** @type {HandFields} */
  const hand = new HandFields(form, () => showScores(form, hand.hand, names, null, words.scores));
  showScores(form, hand.hand, names, null, words.scores);
}

const form = document.querySelector("form[data-recorder]");
if (form instanceof HTMLFormElement && window.indexedDB && document.documentElement.dataset.actor) new Recorder(form);
for (const one of document.querySelectorAll("form[data-mender]")) {
  if (one instanceof HTMLFormElement && one.querySelector("[data-amount=made]")) mender(one);
}
