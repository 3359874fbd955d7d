// What every page does beyond plain HTML: the CSRF header, the error strip, the theme, the offline strip.
// Pages work without it; nothing here evaluates text or writes an inline style.
import { csrfToken } from "./queue.js"; // which sends, from any page, what was recorded without a network

/** Which sentence of the strip belongs to a status; a page of ours may bring a better one.
 * @param {number} status
 * @returns {"forbidden" | "missing" | "busy" | "refused" | "server"} */
function sentenceFor(status) {
  if (status === 401 || status === 403) return "forbidden";
  if (status === 404 || status === 410) return "missing";
  if (status === 429) return "busy";
  return status < 500 ? "refused" : "server";
}

/** @param {HTMLElement} strip @param {string} text */
function show(strip, text) {
  const words = strip.querySelector("[data-strip-text]");
  if (!words) return;
  strip.hidden = false;
  words.textContent = text;
}

/** Our own error pages say the reason in one marked sentence, or in one for each language.
 * @param {string} html @returns {string} */
function sentenceIn(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const marked = page.querySelector(`[data-error-sentence]:lang(${document.documentElement.lang})`)
    ?? page.querySelector("[data-error-sentence]");
  return marked?.textContent?.trim() ?? "";
}

function wireRequests() {
  const strip = document.getElementById("error-strip");
  if (!strip) return;
  document.addEventListener("htmx:config:request", (event) => {
    const { request } = /** @type {CustomEvent} */ (event).detail.ctx;
    if (!/^(GET|HEAD|OPTIONS)$/i.test(request.method)) request.headers["X-CSRFToken"] = csrfToken();
  });
  document.addEventListener("htmx:before:request", () => { strip.hidden = true; });
  document.addEventListener("htmx:response:error", (event) => {
    const { ctx } = /** @type {CustomEvent} */ (event).detail;
    const { status } = ctx.response;
    if (status === 409 || status === 422) return; // the answer is the page: a conflict side by side, a form to mend
    show(strip, sentenceIn(ctx.text ?? "") || strip.dataset[sentenceFor(status)] || "");
  });
  document.addEventListener("htmx:error", (event) => {
    const { ctx } = /** @type {CustomEvent} */ (event).detail;
    if (ctx && !ctx.response) show(strip, strip.dataset.network ?? "");
  });
  strip.querySelector("[data-strip-close]")?.addEventListener("click", () => { strip.hidden = true; });
}

function wireTheme() {
  const form = document.querySelector("[data-theme-switch]");
  if (!(form instanceof HTMLFormElement)) return;
  form.addEventListener("submit", (event) => {
    const chosen = event.submitter;
    if (!(chosen instanceof HTMLButtonElement)) return;
    event.preventDefault();
    const root = document.documentElement;
    const secure = location.protocol === "https:" ? "; Secure" : "";
    if (chosen.value === "auto") {
      delete root.dataset.theme;
      document.cookie = `theme=; Path=/; Max-Age=0; SameSite=Lax${secure}`;
    } else {
      root.dataset.theme = chosen.value;
      document.cookie = `theme=${chosen.value}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
    }
    for (const button of form.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button === chosen));
    }
  });
}

function wireOffline() {
  const strip = document.getElementById("offline-strip");
  if (!strip) return;
  let unsent = 0;
  let why = ""; // it stays although there is a network: "refused", or a "stranger" is signed in
  const plural = new Intl.PluralRules(document.documentElement.lang);

  const update = () => {
    const { none = "", one = "", many = "", sending = "", refused = "", stranger = "" } = strip.dataset;
    if (navigator.onLine && unsent === 0) {
      strip.hidden = true;
    } else if (unsent > 0 && why) {
      show(strip, why === "refused" ? refused : stranger);
    } else if (navigator.onLine) {
      show(strip, sending);
    } else if (unsent === 0) {
      show(strip, none);
    } else {
      show(strip, plural.select(unsent) === "one" ? one : many.replace("1000000", String(unsent)));
    }
  };
  // whoever keeps a queue of unsent items tells its length: new CustomEvent("gingodrome:unsent", {detail: {count, why}})
  document.addEventListener("gingodrome:unsent", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    unsent = Number(detail.count) || 0;
    why = detail.why ?? "";
    update();
  });
  window.addEventListener("offline", update);
  window.addEventListener("online", update);
  if (!navigator.onLine) update();
}

wireRequests();
wireTheme();
wireOffline();
