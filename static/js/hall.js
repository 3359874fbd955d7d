// @ts-check
/**
 * The hall screen. It fetches what it shows again when something happened at a table, by itself again and again after
 * a time without a network, and turns its pages where not everything fits on the wall.
 */

const SOON = 500; // ms: several signals at once are one
const RETRY_FIRST = 1_000; // ms until a fetch that failed is tried again; doubled each time ...
const RETRY_LAST = 15_000; // ... up to this
const TURN = 12_000; // ms a page stays
const wall = matchMedia("(min-width: 60rem)"); // narrower screens are in a hand, and are scrolled
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {string} name @returns {HTMLElement} */
function part(name) {
  const found = document.querySelector(`[data-screen-${name}]`);
  if (!(found instanceof HTMLElement)) throw new Error(`no ${name} on the hall screen`);
  return found;
}

const parts = part("parts");
const offline = part("offline");
const controls = part("controls");
const pause = part("pause");

// What it shows

/** @type {number | undefined} */
let timer;
let retry = RETRY_FIRST;
let shown = "";

/** @param {number} wait */
function fetchIn(wait) {
  clearTimeout(timer);
  timer = setTimeout(fetchParts, wait);
}

async function fetchParts() {
  try {
    const answer = await fetch(location.href, { headers: { "HX-Request": "true" }, cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    const html = await answer.text();
    offline.hidden = true;
    if (html !== shown) {
      shown = html;
      parts.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
      layOut();
    }
  } catch {
    offline.hidden = false;
    fetchIn(retry);
    retry = Math.min(retry * 2, RETRY_LAST);
    return;
  }
  retry = RETRY_FIRST;
  // without a stream nobody says that something happened: it looks by itself
  if (document.documentElement.dataset.live === "lost") fetchIn(RETRY_LAST);
}

for (const topic of ["hall", "public", "resync"]) {
  document.body.addEventListener(`live:${topic}`, () => fetchIn(SOON));
}
window.addEventListener("online", () => fetchIn(0));
window.addEventListener("offline", () => fetchIn(0));
new MutationObserver(() => {
  if (document.documentElement.dataset.live === "lost") fetchIn(RETRY_LAST);
}).observe(document.documentElement, { attributeFilter: ["data-live"] });

// Its pages

/** @type {HTMLElement[][]} */
let pages = [];
let at = 0;
/** @type {number | undefined} */
let turning;

/** @returns {HTMLElement[]} */
const sections = () => [...parts.querySelectorAll("[data-part]")].filter((one) => one instanceof HTMLElement);

/** @param {HTMLElement} section @returns {HTMLElement[]} */
const itemsOf = (section) => [...(section.querySelector("ul, ol")?.children ?? [])]
  .filter((one) => one instanceof HTMLElement);

/** Everything is shown, one part below the other. */
function showAll() {
  for (const section of sections()) {
    section.hidden = false;
    for (const item of itemsOf(section)) item.hidden = false;
  }
}

/** Divides what does not fit into pages: small parts share one, a long part takes several, each with whole rows. */
function layOut() {
  clearTimeout(turning);
  showAll();
  pages = [];
  const fits = parts.getBoundingClientRect().bottom + scrollY <= innerHeight;
  controls.hidden = fits || !wall.matches || calm.matches || sections().length === 0;
  if (controls.hidden) return;
  const room = innerHeight - parts.getBoundingClientRect().top - scrollY;
  /** @type {HTMLElement[]} */
  let page = [];
  let from = 0;
  for (const section of sections()) {
    const { top, bottom, height } = section.getBoundingClientRect();
    const items = itemsOf(section);
    if (page.length > 0 && bottom - from <= room) {
      page.push(...items);
      continue;
    }
    if (page.length > 0) pages.push(page);
    page = [];
    if (height > room) pages.push(...pagesOf(items, room - ((items[0]?.getBoundingClientRect().top ?? top) - top)));
    else {
      page = items;
      from = top;
    }
  }
  if (page.length > 0) pages.push(page);
  show(at < pages.length ? at : 0);
}

/** @param {HTMLElement[]} items @param {number} room @returns {HTMLElement[][]} */
function pagesOf(items, room) {
  /** @type {HTMLElement[][]} */
  const found = [];
  let from = 0;
  for (const item of items) {
    const { top, bottom } = item.getBoundingClientRect();
    const last = found.at(-1);
    if (last && bottom - from <= room) last.push(item);
    else {
      found.push([item]);
      from = top;
    }
  }
  return found;
}

/** @param {number} number */
function show(number) {
  clearTimeout(turning);
  at = number;
  const page = new Set(pages[at]);
  for (const section of sections()) {
    const items = itemsOf(section);
    section.hidden = !items.some((item) => page.has(item));
    for (const item of items) item.hidden = !page.has(item);
  }
  part("page").textContent = `${at + 1} / ${pages.length}`;
  if (pause.getAttribute("aria-pressed") !== "true") turning = setTimeout(next, TURN);
}

function next() {
  if (pages.length > 0) show((at + 1) % pages.length);
}

part("next").addEventListener("click", next);
pause.addEventListener("click", () => {
  const paused = pause.getAttribute("aria-pressed") !== "true";
  pause.setAttribute("aria-pressed", String(paused));
  if (paused) clearTimeout(turning);
  else turning = setTimeout(next, TURN);
});
for (const query of [wall, calm]) query.addEventListener("change", layOut);
window.addEventListener("resize", layOut);
void document.fonts.ready.then(layOut);
