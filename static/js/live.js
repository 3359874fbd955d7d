// @ts-check
/**
 * The live stream of this page: one EventSource for all topics, turned into DOM events.
 *
 * `live:<topic>` (for example `live:public`) says that a topic changed, `live:resync` that anything may have changed:
 * both are dispatched on the body, and elements fetch themselves again with
 * `hx-trigger="live:public from:body, live:resync from:body"`. A signal carries no facts.
 *
 * Browsers allow six connections to a host, and a person has many tabs. So a hidden tab closes its stream as soon as a
 * visible tab of the same browser has one, and hears through that one. When no tab is visible, one of the hidden ones
 * keeps a stream for all: the bell must ring in the background, too.
 *
 * `<html data-live>` tells the state: `own` (a stream of its own), `shared` (hears through another tab) or `lost`.
 */

/** @typedef {{ topic: string, version: number }} Signal */
/** @typedef {{ from: string, kind: "hold", visible: boolean }
 *   | { from: string, kind: "who" | "bye" | "resync" }
 *   | { from: string, kind: "signal", signal: Signal }} Message */

const PATH = "/live/";
const HOLD_EVERY = 5_000; // ms between two "I have a stream"
const HOLD_LOST = 12_000; // ms without one after which nobody has a stream
const ANSWER = 400; // ms in which whoever has a stream says so
const RETRY_FIRST = 5_000; // ms until a refused stream is asked for again; doubled each time ...
const RETRY_LAST = 60_000; // ... up to this

const numbers = crypto.getRandomValues(new Uint32Array(2));
const me = Array.from(numbers, (number) => number.toString(36)).join("");
const spread = (numbers[0] ?? 0) % 300; // ms, so that several hidden tabs do not take over in the same moment
const channel = new BroadcastChannel("live");

/** @type {EventSource | null} */
let source = null;
/** @type {number | undefined} */
let timer;
let retry = RETRY_FIRST;
let openedBefore = false;
let heldByOther = 0; // when another tab last said that it has a stream (performance.now), 0 for never
/** @type {Map<string, number>} */
const seen = new Map();

const visible = () => document.visibilityState === "visible";
const open = () => source !== null && source.readyState === EventSource.OPEN;
const shared = () => heldByOther > 0 && performance.now() - heldByOther < HOLD_LOST;

/** @param {"hold" | "who" | "bye" | "resync" | Signal} what */
function tell(what) {
  if (typeof what !== "string") channel.postMessage({ from: me, kind: "signal", signal: what });
  else if (what === "hold") channel.postMessage({ from: me, kind: what, visible: visible() });
  else channel.postMessage({ from: me, kind: what });
}

/** @param {string} name @param {Signal | undefined} [detail] */
function dispatch(name, detail) {
  document.body.dispatchEvent(new CustomEvent(`live:${name}`, { bubbles: true, detail }));
}

function showState() {
  document.documentElement.dataset.live = open() ? "own" : shared() ? "shared" : "lost";
}

/** Dispatches a signal once, whichever way it came. @param {Signal} signal */
function hear(signal) {
  if (seen.get(signal.topic) === signal.version) return;
  seen.set(signal.topic, signal.version);
  dispatch(signal.topic, signal);
}

/** Opens the stream of this tab, unless it has one. */
function connect() {
  clearTimeout(timer);
  if (source !== null && source.readyState !== EventSource.CLOSED) return;
  source = new EventSource(PATH);
  source.addEventListener("open", () => {
    retry = RETRY_FIRST;
    tell("hold");
    dispatch("resync");
    // Others may have heard nothing since the last stream was lost; at a page's first stream they have missed nothing.
    if (openedBefore || !visible()) tell("resync");
    openedBefore = true;
    showState();
  });
  source.addEventListener("signal", (event) => {
    const signal = /** @type {Signal} */ (JSON.parse(event.data));
    hear(signal);
    tell(signal);
  });
  source.addEventListener("resync", () => {
    dispatch("resync");
    tell("resync");
  });
  source.addEventListener("error", () => {
    showState();
    if (source?.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
    source = null;
    timer = setTimeout(settle, retry + spread);
    retry = Math.min(retry * 2, RETRY_LAST);
  });
}

function disconnect() {
  clearTimeout(timer);
  source?.close();
  source = null;
  showState();
}

/** Decides whether this tab needs a stream: a visible one does, a hidden one only when nobody else has one. */
function settle() {
  clearTimeout(timer);
  if (visible()) {
    connect();
    return;
  }
  tell("who");
  timer = setTimeout(() => {
    if (!visible() && !shared()) connect();
    showState();
  }, ANSWER + spread);
}

/** @param {Message} message */
function receive(message) {
  switch (message.kind) {
    case "hold":
      heldByOther = performance.now();
      // Of two hidden tabs with a stream the one with the smaller name keeps it.
      if (source !== null && !visible() && (message.visible || message.from < me)) disconnect();
      break;
    case "who":
      if (open()) tell("hold");
      break;
    case "bye":
      heldByOther = 0;
      if (!visible()) settle();
      break;
    case "signal":
      if (!open()) hear(message.signal);
      break;
    case "resync":
      if (!open()) dispatch("resync");
      break;
  }
  showState();
}

channel.addEventListener("message", (event) => receive(/** @type {Message} */ (event.data)));

document.addEventListener("visibilitychange", () => {
  if (visible()) {
    if (open()) {
      dispatch("resync"); // what a browser did to a hidden page is not known
      tell("hold"); // whoever is hidden can give up its stream
    }
    connect();
  } else {
    settle();
  }
});

window.addEventListener("online", () => {
  if (source !== null) disconnect();
  settle();
});

window.addEventListener("pagehide", () => {
  const held = source !== null;
  disconnect();
  if (held) tell("bye");
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) settle();
});

setInterval(() => {
  if (open()) tell("hold");
  else if (!visible() && !shared()) settle();
  showState();
}, HOLD_EVERY);

settle();
showState();
