// @ts-check
/** What a hand and a penalty come to: the rules of scoring once more, for a page that has no network. Pure. */

/** @typedef {{ caller: number, called: number, bid: number, made: number }} Hand */

export const SEATS = 5;
export const CARD_POINTS = 120;

/** Points of caller (and called), and of each other player (S15; D3: alone doubles only what is won).
 * @param {number} bid @param {number} made @param {boolean} solo
 * @returns {{ pair: number, others: number }} */
export function handPoints(bid, made, solo) {
  if (made >= bid) return { pair: solo ? 2 * bid : bid, others: 0 };
  return { pair: made - bid, others: CARD_POINTS - made };
}

/** Points by seat. @param {Hand} hand @returns {number[]} */
export function fivePoints({ caller, called, bid, made }) {
  const { pair, others } = handPoints(bid, made, caller === called);
  return Array.from({ length: SEATS }, (_, seat) => (seat === caller || seat === called ? pair : others));
}

/** A disloyal raise (S18, D10): `offence` 1 is the first, the last amount repeats; `lost`: points lost in the hand.
 * @param {number} offence @param {readonly number[]} amounts @param {number} [lost] @returns {number} */
export function disloyalPoints(offence, amounts, lost = 0) {
  return 0 - (amounts[Math.min(offence, amounts.length) - 1] ?? 0) - lost;
}

/** A suicidal call (S17), lost by definition (D18). @param {number} bid @param {number} made @param {number} amount
 * @returns {number} */
export function suicidalPoints(bid, made, amount) {
  return 0 - amount - (bid - made);
}

/** `+91`, `−20`, `0`, as the pages write them. @param {number} points @returns {string} */
export function signed(points) {
  return points > 0 ? `+${points}` : score(points);
}

/** With a true minus. @param {number} points @returns {string} */
export function score(points) {
  return points < 0 ? `−${-points}` : String(points);
}
