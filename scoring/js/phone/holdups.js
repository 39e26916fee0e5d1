/* What a refused entry holds up in its match, and what may pass it. */

const OF_HANDS = ["enter", "contract"];
const EVERYTHING = ["start", "board"];
const NOT_OF_HANDS = ["pen", "seats"];

/** By address the first hand that is missing, 0 where everything waits. @typedef {Map<string, number>} Holdups */

/** Notes what a refused entry holds up. Nothing depends on a correction.
 * @param {Holdups} holdups @param {Entry} entry @param {string} state */
export function holdUp(holdups, { address, kind, number = 0 }, state) {
  if (state === "gone" || EVERYTHING.includes(kind)) holdups.set(address, 0);
  else if (OF_HANDS.includes(kind)) holdups.set(address, Math.min(holdups.get(address) ?? Infinity, number));
}

/** Whether an entry may be sent: the hand that takes the place of a missing one may, and what is not
 * about hands after it.
 * @param {Holdups} holdups @param {Entry} entry */
export function mayPass(holdups, { address, kind, number = 0 }) {
  const first = holdups.get(address) ?? Infinity;
  if (NOT_OF_HANDS.includes(kind)) return first > 0;
  return first === Infinity || number < first || (kind === "enter" && number === first);
}
