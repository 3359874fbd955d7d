// @ts-check
/**
 * Commands that survive without a network: first written to the browser's own database, then sent in order, one at a
 * time for each match, under a key that makes a second sending harmless. "Saved" is said only with the server's receipt.
 *
 * A command belongs to who gave it: `<html data-actor>` is an opaque mark of whoever is signed in, it goes along with
 * every command, and the server refuses one that comes under another's session. Works on plain http: no service worker,
 * no lock manager. Several tabs agree by a lease in the database.
 *
 * Events on the document: `gingodrome:unsent` {count, why} for the strip, `gingodrome:queue` {kind, command, receipt}
 * for the page of a match. Kinds: waiting, saved, refused, gone.
 */

/** @typedef {{ ok: boolean, code: string, sentence: string, article?: string, pointer?: string,
 *   due?: number | null }} Refused */
/** @typedef {{ id?: number, match: string, actor: string, url: string, page: string, key: string,
 *   body: [string, string][], label: string, refused: Refused | null }} Command */
/** @typedef {{ hand?: number, version?: number, pending?: number | null }} Receipt */
/** @typedef {"saved" | "refused" | "later" | "away" | "stranger"} Outcome */

const NAME = "gingodrome";
const COMMANDS = "commands";
const LEASES = "leases";
const PATIENCE = 10_000; // ms for an answer; shorter than a lease, so that no lease ends while its command travels
const LEASE = 15_000; // ms
const AGAIN_FIRST = 1_000; // ms until a command is sent again; doubled each time ...
const AGAIN_LAST = 60_000; // ... up to this
const QUIET = 1_500; // ms for which sending needs no words

const LATER = new Set(["proposal_pending", "claim_open", "bell_unanswered"]); // true today, not for ever: the command waits

const me = token();
const channel = new BroadcastChannel("queue");
/** @type {Promise<IDBDatabase> | null} */
let opened = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let telling;
let again = AGAIN_FIRST;
let sending = false;
let wanted = false; // asked to send while sending
let announced = 0; // how many wait, as the strip was told last
let stranger = false; // the server knows this browser as somebody else, or as nobody

/** 128 bits for a key. */
function token() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The mark of who is signed in on this page; "" for nobody. */
export const actor = () => document.documentElement.dataset.actor ?? "";

/** The token of the forms of this page. */
export function csrfToken() {
  const field = document.querySelector("input[name=csrfmiddlewaretoken]");
  return field instanceof HTMLInputElement ? field.value : "";
}

/** Where a form is sent; its own property is hidden by a button that is called "action". @param {HTMLFormElement} form */
export const addressOf = (form) => new URL(form.getAttribute("action") || location.pathname, location.href).pathname;

/** @returns {Promise<IDBDatabase>} */
function database() {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore(COMMANDS, { keyPath: "id", autoIncrement: true });
      asked.result.createObjectStore(LEASES, { keyPath: "match" });
    };
    asked.onsuccess = () => {
      asked.result.onversionchange = () => { asked.result.close(); opened = null; };
      resolve(asked.result);
    };
    asked.onerror = () => reject(asked.error);
  });
  opened.catch(() => { opened = null; });
  return opened;
}

/** One transaction; resolves when it is on the disk. @template T
 * @param {"commands" | "leases"} store @param {"readonly" | "readwrite"} mode
 * @param {(store: IDBObjectStore, give: (value: T) => void) => void} work @returns {Promise<T | undefined>} */
async function within(store, mode, work) {
  const held = await database();
  return new Promise((resolve, reject) => {
    /** @type {T | undefined} */
    let given;
    const done = held.transaction(store, mode, { durability: "strict" });
    done.oncomplete = () => resolve(given);
    done.onabort = done.onerror = () => reject(done.error);
    work(done.objectStore(store), (value) => { given = value; });
  });
}

/** Whatever waits in this browser, oldest first; nothing in a browser that keeps nothing. */
async function everybodys() {
  const all = await within(COMMANDS, "readonly", (store, give) => {
    const asked = store.getAll();
    asked.onsuccess = () => give(asked.result);
  }).catch(() => []);
  return /** @type {Command[]} */ (all ?? []);
}

/** The commands of this person, oldest first; of one match or of all. @param {string} [match] */
export async function commands(match) {
  return (await everybodys()).filter((one) => one.actor === actor() && (match === undefined || one.match === match));
}

/** Writes a command down and starts to send it. `replaces`: a refused one that is mended, in its place.
 * @param {Pick<Command, "match" | "url" | "body" | "label">} what @param {Command} [replaces]
 * @returns {Promise<Command>} */
export async function give(what, replaces) {
  /** @type {Command} */
  const command = { ...what, actor: actor(), page: location.pathname, key: token(), refused: null };
  if (replaces?.id !== undefined) command.id = replaces.id;
  await within(COMMANDS, "readwrite", (store) => {
    const asked = store.put(command);
    asked.onsuccess = () => { command.id = Number(asked.result); };
  });
  again = AGAIN_FIRST;
  await changed("waiting", command);
  void send();
  return command;
}

/** Takes a command out, sent or given up. @param {Command} command @param {"saved" | "gone"} kind
 * @param {Receipt} [receipt] */
async function remove(command, kind, receipt) {
  await within(COMMANDS, "readwrite", (store) => { store.delete(command.id ?? -1); });
  await changed(kind, command, receipt);
}

/** Gives a refused command up; what waited behind it goes on. @param {Command} command */
export async function discard(command) {
  await remove(command, "gone");
  void send();
}

/** Tells this page and the other tabs. @param {"waiting" | "saved" | "refused" | "gone"} kind
 * @param {Command} command @param {Receipt} [receipt] */
async function changed(kind, command, receipt) {
  dispatch(kind, command, receipt);
  channel.postMessage({ kind, command, receipt });
  await tell();
}

/** @param {string} kind @param {Command} command @param {Receipt} [receipt] */
function dispatch(kind, command, receipt) {
  if (command.actor !== actor()) return;
  document.dispatchEvent(new CustomEvent("gingodrome:queue", { detail: { kind, command, receipt } }));
}

/** Says how many wait, and why if it is not the network. */
async function tell() {
  const all = actor() ? await commands() : await everybodys(); // whoever comes back and signs in can send them
  const why = stranger || !actor() ? "stranger" : all.some((one) => one.refused) ? "refused" : "";
  if (!all.length && !announced) return; // nothing to take back
  const say = () => {
    announced = all.length;
    document.dispatchEvent(new CustomEvent("gingodrome:unsent", { detail: { count: announced, why } }));
  };
  clearTimeout(telling);
  // What is sent at once needs no words, and a strip that comes and goes would move the page under the finger.
  if (all.length && !why && navigator.onLine) telling = setTimeout(() => void tellLate(say), QUIET);
  else say();
}

/** @param {() => void} say */
async function tellLate(say) {
  if ((await commands()).length) say();
}

/** This tab may send for a match: it has the lease, or nobody has one that holds. @param {string} match */
function lease(match) {
  return within(LEASES, "readwrite", (store, give) => {
    const asked = store.get(match);
    asked.onsuccess = () => {
      const now = Date.now();
      const held = asked.result;
      const ours = !held || held.holder === me || held.until < now || held.until > now + LEASE;
      if (ours) store.put({ match, holder: me, until: now + LEASE });
      give(ours);
    };
  });
}

/** @param {string} match */
async function release(match) {
  await within(LEASES, "readwrite", (store) => {
    const asked = store.get(match);
    asked.onsuccess = () => { if (asked.result?.holder === me) store.delete(match); };
  });
}

/** Sends everything that waits, match by match. One round at a time. */
export async function send() {
  wanted = true;
  if (sending || !actor()) return;
  sending = true;
  clearTimeout(timer);
  let over = true;
  try {
    while (wanted) {
      wanted = false;
      over = true;
      for (const match of new Set((await commands()).map((one) => one.match))) over = (await sendMatch(match)) && over;
    }
  } catch {
    over = false; // the browser's own database was away
  } finally {
    sending = false;
  }
  if (over) return;
  const spread = ((crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) / 255) * 0.4 + 0.8;
  timer = setTimeout(() => void send(), again * spread);
  again = Math.min(again * 2, AGAIN_LAST);
}

/** The commands of one match in order, until one must wait. @param {string} match
 * @returns {Promise<boolean>} nothing is left to be tried again */
async function sendMatch(match) {
  try {
    for (;;) {
      const first = (await commands(match))[0];
      if (!first || first.refused) return true;
      if (!(await lease(match))) return false; // another tab is at it
      // Read again under the lease: the other tab may have sent it in the meantime.
      const command = (await commands(match))[0];
      if (command?.id !== first.id || command?.key !== first.key) continue;
      const outcome = await sendOne(first);
      if (outcome === "saved") again = AGAIN_FIRST;
      else if (outcome === "refused" || outcome === "stranger") return true;
      else return false;
    }
  } finally {
    await release(match);
  }
}

/** @param {Command} command @param {boolean} [renewed] the token was fetched anew @returns {Promise<Outcome>} */
async function sendOne(command, renewed = false) {
  /** @type {Response} */
  let response;
  /** @type {any} */
  let told;
  try {
    response = await fetch(command.url, {
      method: "POST",
      headers: { Accept: "application/json", "X-CSRFToken": csrfToken(), "X-Actor": command.actor },
      body: new URLSearchParams([...command.body.filter(([name]) => name !== "key"), ["key", command.key]]),
      credentials: "same-origin",
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE),
    });
    told = await read(response);
  } catch {
    return "away"; // whether it arrived is unknown: the same key, once more
  }
  if (response.status >= 500 || response.status === 429) return "away";
  if (response.ok && told?.ok) {
    stranger = false;
    await remove(command, "saved", told.receipt);
    return "saved";
  }
  if (response.status === 403 && !renewed) {
    const same = await renew(command);
    if (same === null) return "away";
    stranger = !same;
    // A refusal that is spoken out holds; a stale token does not.
    if (same && told?.code !== "not_allowed") return sendOne(command, true);
    if (!same) {
      await tell();
      return "stranger";
    }
  }
  if (response.status === 403 && !told?.sentence) return "away"; // not even a fresh token was taken
  if (LATER.has(told?.code)) return "later";
  command.refused = told?.code ? told : { ok: false, code: "", sentence: "" };
  await within(COMMANDS, "readwrite", (store) => { store.put(command); });
  await changed("refused", command);
  return "refused";
}

/** @param {Response} response @returns {Promise<any>} null for what is no JSON */
async function read(response) {
  if (!response.headers.get("Content-Type")?.startsWith("application/json")) return null;
  return response.json();
}

/** A new token for the forms of this page. @param {Command} command
 * @returns {Promise<boolean | null>} the server still knows the same person here; null: no answer */
async function renew(command) {
  try {
    const response = await fetch(command.page, { credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE) });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.querySelector("input[name=csrfmiddlewaretoken]");
    if (!(fresh instanceof HTMLInputElement)) return null;
    for (const field of document.querySelectorAll("input[name=csrfmiddlewaretoken]")) {
      if (field instanceof HTMLInputElement) field.value = fresh.value;
    }
    return page.documentElement.dataset.actor === command.actor;
  } catch {
    return null;
  }
}

/** Forms that only have to be sent: `<form data-queue="<match>" data-label data-done>`. One that settles what was
 * refused takes its place: `data-queue-replaces="<key>"`; a link that does takes it out: `data-queue-drop="<key>"`. */
function wireForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.queue === undefined || event.defaultPrevented) return;
    // A button that does not ask for a whole form saves nothing: it only turns back.
    if (!actor() || (event.submitter instanceof HTMLButtonElement && event.submitter.formNoValidate)) return;
    event.preventDefault();
    const body = [...new FormData(form, event.submitter)].filter(([name]) => name !== "csrfmiddlewaretoken");
    queued(form, body.map(([name, value]) => [name, String(value)]))
      .catch(() => form.submit()); // a browser that keeps nothing sends it as it is
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[data-queue-drop]") : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    void known(link.dataset.queueDrop).then((refused) => refused && discard(refused)).finally(() => location.assign(link.href));
  });
}

/** @param {string | undefined} key */
async function known(key) {
  return key ? (await commands()).find((one) => one.key === key) : undefined;
}

/** @param {HTMLFormElement} form @param {[string, string][]} body */
async function queued(form, body) {
  const { queue: match = "", label = "", done = location.pathname, queueReplaces } = form.dataset;
  follow(form, await give({ match, url: addressOf(form), label, body }, await known(queueReplaces)), done);
}

/** When the form's command has its receipt, the next page; when it is refused, the reason stands in the form.
 * @param {HTMLFormElement} form @param {Command} given @param {string} done */
function follow(form, given, done) {
  const words = form.querySelector("[data-queue-words]");
  const { waits = "" } = form.dataset;
  for (const button of form.querySelectorAll("button")) button.disabled = true;
  if (words) words.textContent = waits;
  document.addEventListener("gingodrome:queue", (event) => {
    const { kind, command } = /** @type {CustomEvent} */ (event).detail;
    if (command.key !== given.key) return;
    if (kind === "saved") location.assign(done);
    if (kind !== "refused") return;
    if (words) words.textContent = command.refused.sentence;
    for (const button of form.querySelectorAll("button")) button.disabled = false;
    void discard(command); // what was typed still stands in the form
  });
}

function begin() {
  if (!window.indexedDB) return;
  channel.addEventListener("message", ({ data }) => {
    dispatch(data.kind, data.command, data.receipt);
    void tell();
  });
  const now = () => { again = AGAIN_FIRST; void tell(); void send(); };
  window.addEventListener("online", now);
  window.addEventListener("offline", () => void tell());
  window.addEventListener("pageshow", (event) => { if (event.persisted) now(); });
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") now(); });
  document.body.addEventListener("live:resync", now);
  wireForms();
  now();
}

begin();
