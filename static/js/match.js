// @ts-check
/**
 * The page of a match fetches itself again when something was written. Nothing changes under a finger that is down, and
 * for a moment after a change the buttons take no tap that was meant for what stood there before.
 */

const SETTLE = 400; // ms
const CLICK = 300; // ms from the end of a touch to its click
let down = false;
let late = false;

document.addEventListener("pointerdown", () => { down = true; });
for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, () => setTimeout(() => {
    down = false;
    if (!late) return;
    late = false;
    document.body.dispatchEvent(new CustomEvent("live:resync", { bubbles: true }));
  }, CLICK));
}

document.addEventListener("htmx:before:swap", (event) => {
  if (!down) return;
  event.preventDefault();
  late = true;
});
document.addEventListener("htmx:after:swap", () => {
  for (const part of document.querySelectorAll("[data-settles]")) {
    part.classList.add("is-settling");
    setTimeout(() => part.classList.remove("is-settling"), SETTLE);
  }
});
// What somebody has opened stays open, though the house knows nothing of it.
/** @type {{ htmx?: { config: { morphIgnore: string[] } } }} */ (window).htmx?.config.morphIgnore.push("open");
