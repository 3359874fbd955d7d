// @ts-check
/** The grid of a paper sheet: arrows and Enter move, each row is checked as it is typed, totals run along. */
import { CARD_POINTS, disloyalPoints, fivePoints, score } from "./points.js";

/** @typedef {{ totals: number[], offences: number[], dealer: number, names: string[], low: number, above: number,
 *   disloyal: number[] }} State */

/** @param {string} text */
const plain = (text) => text.trim().normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace("ı", "i");

class Grid {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    /** @type {State} */
    this.state = JSON.parse(form.dataset.state ?? "{}");
    this.rows = [...form.querySelectorAll("tr[data-row]")].map((row) => ({
      row,
      cells: [...row.querySelectorAll("input, select")],
      totals: [...row.querySelectorAll("[data-total]")],
    }));
    form.addEventListener("input", () => this.check());
    form.addEventListener("keydown", (event) => this.move(event));
    this.check();
  }

  /** A seat by its number from 1 or the beginning of its name; null if that is nobody or several. @param {string} text */
  seat(text) {
    if (/^[1-5]$/.test(text.trim())) return Number(text) - 1;
    const asked = plain(text);
    const found = this.state.names.flatMap((name, at) => (asked && plain(name).startsWith(asked) ? [at] : []));
    return found.length === 1 ? (found[0] ?? null) : null;
  }

  /** @param {string} text @param {number} low */
  number(text, low) {
    const value = Number(text);
    return /^\d{1,3}$/.test(text.trim()) && value >= low && value <= CARD_POINTS ? value : null;
  }

  check() {
    const totals = [...this.state.totals];
    const offences = [...this.state.offences];
    let going = true; // totals run as far as every row is whole
    for (const { row, cells, totals: shown } of this.rows) {
      const [callerText = "", calledText = "", bidText = "", madeText = "", kind = ""] = cells.map((cell) => /** @type {HTMLInputElement} */ (cell).value);
      const caller = this.seat(callerText);
      const called = this.seat(calledText);
      const bid = this.number(bidText, this.state.low);
      const made = this.number(madeText, 0);
      const empty = kind === "played" && !(callerText + calledText + bidText + madeText).trim();
      const voided = kind === "voided" || kind === "repeated";
      const admitted = kind === "admitted";
      const needed = [!voided, !voided && !admitted, !voided, !voided && !admitted];
      [caller, called, admitted && bid !== null && bid <= this.state.above ? null : bid, made].forEach((value, at) => {
        const cell = cells[at];
        const wrong = Boolean(needed[at]) && value === null && /** @type {HTMLInputElement} */ (cell).value.trim() !== "";
        cell?.toggleAttribute("data-wrong", wrong);
      });
      if (voided) {
        // nobody scores
      } else if (admitted && caller !== null && bid !== null) {
        offences[caller] = (offences[caller] ?? 0) + 1;
        totals[caller] = (totals[caller] ?? 0) + disloyalPoints(offences[caller] ?? 1, this.state.disloyal);
      } else if (!admitted && caller !== null && called !== null && bid !== null && made !== null) {
        fivePoints({ caller, called, bid, made }).forEach((points, seat) => { totals[seat] = (totals[seat] ?? 0) + points; });
      } else {
        going = false;
      }
      row.classList.toggle("is-empty", empty);
      shown.forEach((cell, seat) => { cell.textContent = going && !empty ? score(totals[seat] ?? 0) : ""; });
    }
  }

  /** Enter and the arrows go from cell to cell as on squared paper. @param {KeyboardEvent} event */
  move(event) {
    const { target, key } = event;
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    const at = this.rows.findIndex(({ cells }) => cells.includes(target));
    const column = this.rows[at]?.cells.indexOf(target) ?? -1;
    if (column < 0) return;
    const select = target instanceof HTMLSelectElement;
    const caret = select ? null : target.selectionStart;
    const whole = select || (target.selectionStart === 0 && target.selectionEnd === target.value.length);
    let to = null;
    if (key === "Enter") to = column < 3 ? [at, column + 1] : [at + 1, 0];
    else if (key === "ArrowDown" && !select) to = [at + 1, column];
    else if (key === "ArrowUp" && !select) to = [at - 1, column];
    else if (key === "ArrowRight" && (whole || caret === target.value.length)) to = [at, column + 1];
    else if (key === "ArrowLeft" && (whole || caret === 0)) to = [at, column - 1];
    if (!to) return;
    event.preventDefault();
    const next = this.rows[to[0] ?? -1]?.cells[to[1] ?? -1];
    if (next instanceof HTMLElement) next.focus();
    if (next instanceof HTMLInputElement) next.select();
  }
}

const form = document.querySelector("form[data-grid]");
if (form instanceof HTMLFormElement) new Grid(form);
