// @ts-check
/**
 * The time of a match is seen as long as a button is held, by a finger or by a key, and is gone with it (UX-07). Each
 * hold is one look, which the server writes down. Without script the button is an ordinary one.
 */
import { addressOf, csrfToken } from "./queue.js";

const form = document.querySelector("form[data-reveal]");
const button = form?.querySelector("button");
const output = form?.querySelector("output");
let held = 0; // counts holds, so that a late answer shows nothing
let down = false;

async function look() {
  if (!(form instanceof HTMLFormElement) || !output || down) return;
  down = true;
  const mine = ++held;
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const { elapsed = "", left = "", lost = "" } = form.dataset;
  let words = lost;
  try {
    const answer = await fetch(addressOf(form), {
      method: "POST",
      headers: { Accept: "application/json", "X-CSRFToken": csrfToken() },
      body: new URLSearchParams({ key }),
    });
    const told = await answer.json();
    words = answer.ok ? `${elapsed} ${told.elapsed} · ${left} ${told.left}` : told.sentence || lost;
  } catch {
    // no network: the words say so
  }
  if (down && mine === held) output.value = words;
}

function hide() {
  if (!down || !output) return;
  down = false;
  output.value = "";
}

const isKey = (/** @type {KeyboardEvent} */ event) => event.key === " " || event.key === "Enter";
button?.addEventListener("pointerdown", (event) => { if (event.button === 0) void look(); });
button?.addEventListener("keydown", (event) => { if (isKey(event) && !event.repeat) void look(); });
button?.addEventListener("contextmenu", (event) => event.preventDefault()); // of a long press
form?.addEventListener("submit", (event) => event.preventDefault());
for (const name of ["pointerup", "pointercancel", "keyup", "blur", "visibilitychange"]) document.addEventListener(name, hide, true);
if (output) output.value = "";
