// @ts-check
/**
 * The bell of a match on every page of it: a panel over the whole page, a ring where the sound is armed, a vibration,
 * words for who does not see. Shown until somebody goes on, once for each bell in a tab; a page that comes later or
 * wakes up asks, too. `<div data-bell="<address>" data-topic="<topic>">` (components/bell.html).
 *
 * No file and no clock: the sound is made here, and nothing says when the bell rang. Browsers let a page make sound
 * only after a tap, so it is armed by one; later pages of the same tab are armed again by their first tap.
 * `<html data-sound>` is `armed` while the sound would be heard.
 */

const WISH = "bell:armed"; // in this tab's storage: this person armed the bell
const SEEN = "bell:seen:"; // ... and went on after this one
const PARTIALS = /** @type {const} */ ([[0.5, 0.5, 7], [1, 1, 5], [1.2, 0.6, 3.5], [1.5, 0.4, 3], [2, 0.7, 2.6], [2.5, 0.3, 1.6], [3.01, 0.25, 1.1]]);
const PITCH = 622; // Hz
const STROKES = [0, 1.4, 2.8, 4.2]; // seconds
const SETTLE = 400; // ms in which a second tap on "go on" touches nothing
const TOGETHER = 2000; // ms in which bells are one ring
const AGAIN = 700; // ms until a lost question is asked again; doubled each time ...
const TRIES = 5; // ... so often

/** @type {AudioContext | null} */
let sound = null;

const running = () => sound?.state === "running";

/** Says on the page whether the sound would be heard. */
function showSound() {
  document.documentElement.dataset.sound = running() ? "armed" : "off";
  document.dispatchEvent(new CustomEvent("gingodrome:sound", { detail: running() }));
}

/** Unlocks the sound; only within a tap or a key. @returns {Promise<boolean>} it would be heard now */
export async function arm() {
  if (sound === null) {
    sound = new AudioContext();
    sound.addEventListener("statechange", showSound);
  }
  await sound.resume().catch(() => {}); // a device without a loudspeaker
  if (running()) sessionStorage.setItem(WISH, "1");
  showSound();
  return running();
}

/** Takes the sound away again. */
export async function disarm() {
  sessionStorage.removeItem(WISH);
  await sound?.suspend();
  showSound();
}

export const wished = () => sessionStorage.getItem(WISH) === "1";

/** Rings: a long bell, or one stroke to try it. Silent where it is not armed. @param {boolean} [once] */
export function ring(once = false) {
  const at = sound;
  if (at === null || !running()) return;
  const all = at.createDynamicsCompressor(); // loud, and never distorted
  all.connect(at.destination);
  for (const stroke of once ? [0] : STROKES) {
    for (const [ratio, loud, decay] of PARTIALS) {
      const tone = at.createOscillator();
      const volume = at.createGain();
      const begin = at.currentTime + stroke + 0.02;
      const end = begin + (once ? decay / 3 : decay);
      tone.frequency.value = PITCH * ratio;
      volume.gain.setValueAtTime(0.0001, begin);
      volume.gain.exponentialRampToValueAtTime(loud * 0.6, begin + 0.006);
      volume.gain.exponentialRampToValueAtTime(0.0001, end);
      tone.connect(volume).connect(all);
      tone.start(begin);
      tone.stop(end);
    }
  }
  document.documentElement.dataset.rang = String(Number(document.documentElement.dataset.rang ?? 0) + 1);
}

/** A phone that was touched may shake. */
export function shake() {
  if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.([600, 200, 600, 200, 900]);
}

/** Opens a panel over the page until somebody goes on; the title of the tab says it meanwhile.
 * @param {HTMLDialogElement} panel @param {string} words for the live region and the title @returns {Promise<void>} */
export function show(panel, words) {
  const title = document.title;
  document.title = words;
  panel.showModal(); // moves the focus there, Escape closes it, and the focus goes back where it was
  const spoken = panel.querySelector("[aria-live]");
  if (spoken) spoken.textContent = words;
  return new Promise((resolve) => {
    panel.addEventListener("close", () => {
      document.title = title;
      // Where the focus was is gone when a question has come instead.
      const next = document.querySelector("[data-blocks]") ?? document.querySelector("main");
      const lost = document.activeElement === document.body || !document.activeElement?.checkVisibility();
      if (lost && next instanceof HTMLElement) next.focus();
      document.documentElement.dataset.settles = "";
      setTimeout(() => { delete document.documentElement.dataset.settles; }, SETTLE);
      if (spoken) spoken.textContent = "";
      resolve();
    }, { once: true });
  });
}

/** The panel that is open. Bells that ring meanwhile are named on it: one tap goes on from all of them.
 * @type {{ panel: HTMLDialogElement, closed: Promise<void> } | null} */
let open = null;
let rangAt = -Infinity; // performance.now()

/** Shows a bell, on the panel that is open already or on its own. @param {HTMLDialogElement} panel @param {string} words */
async function tell(panel, words) {
  if (performance.now() - rangAt > TOGETHER) {
    rangAt = performance.now();
    ring();
    shake();
  }
  if (open) {
    const table = open.panel.querySelector(".bell-table");
    if (table) table.textContent += ` · ${panel.querySelector(".bell-table")?.textContent ?? ""}`;
    const spoken = open.panel.querySelector("[aria-live]");
    if (spoken) spoken.textContent = words;
    await open.closed;
    return;
  }
  const table = panel.querySelector(".bell-table");
  const name = table?.textContent ?? "";
  open = { panel, closed: show(panel, words) };
  await open.closed;
  open = null;
  if (table) table.textContent = name;
}

/** One match on this page. @param {HTMLElement} box */
function wire(box) {
  const { bell = "", topic = "", words = "" } = box.dataset;
  const panel = box.querySelector("dialog");
  if (!(panel instanceof HTMLDialogElement)) return;
  let asking = false;
  let wanted = false;

  let telling = false;

  /** @param {string} rung */
  const heard = async (rung) => {
    if (telling || sessionStorage.getItem(SEEN + rung)) return;
    telling = true;
    await tell(panel, words);
    sessionStorage.setItem(SEEN + rung, "1");
    telling = false;
  };
  const ask = async (tries = TRIES) => {
    wanted = true;
    if (asking) return;
    asking = true;
    try {
      while (wanted) {
        wanted = false;
        const answer = await fetch(bell, { headers: { Accept: "application/json" } });
        if (answer.status >= 429) throw new Error(String(answer.status)); // not now: it may be ringing all the same
        const told = answer.ok ? await answer.json() : {};
        if (told.rung) void heard(told.rung);
      }
    } catch {
      if (tries > 0) setTimeout(() => void ask(tries - 1), AGAIN * 2 ** (TRIES - tries)); // then with the next signal
    } finally {
      asking = false;
    }
  };
  for (const name of [...topic.split(" "), "resync"]) document.body.addEventListener(`live:${name}`, () => void ask());
  void ask();
}

/** The buttons that arm, and what they say. @param {HTMLElement} line */
function wireLine(line) {
  const button = line.querySelector("button");
  const words = line.querySelector("[data-sound-words]");
  const { off = "", on = "" } = line.dataset;
  button?.addEventListener("click", async () => {
    if (await arm()) ring(true);
  });
  document.addEventListener("gingodrome:sound", () => {
    if (words) words.textContent = running() ? on : off;
    if (button) button.hidden = running();
  });
  line.hidden = false;
}

for (const line of document.querySelectorAll("[data-sound-line]")) if (line instanceof HTMLElement) wireLine(line);
for (const box of document.querySelectorAll("[data-bell]")) if (box instanceof HTMLElement) wire(box);
if (wished()) {
  const again = () => { if (wished() && !running()) void arm(); };
  for (const name of ["pointerup", "keydown"]) document.addEventListener(name, again);
}
showSound();
