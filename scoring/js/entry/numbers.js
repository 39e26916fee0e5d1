/* What the keys of the tray make of a number. */

/** Returns the numbers that are a key each.
 * @param {number} least @param {number} most */
export const numbersFrom = (least, most) => Array.from({ length: Math.max(0, most - least + 1) }, (_, place) => least + place);

/** Returns what is left of a total for the last of a row; null where more than that one are empty.
 * @param {number} total @param {string[]} others */
export function leftOf(total, others) {
  if (others.includes("")) return null;
  return total - others.reduce((sum, value) => sum + Number(value), 0);
}

/** Whether a field moves on by itself: with its last digit and never earlier, whatever the number is,
 * so that a thumb knows it beforehand. Numbers have three digits, a die has one.
 * @param {string} value @param {string | undefined} digits */
export const isFull = (value, digits) => value.length >= Number(digits);

/** Returns what forbids a number: more than there is, fewer than there have to be, which shows once it
 * `isWhole`, or what is no number; empty for one that can be.
 * @param {string} value @param {DOMStringMap} bounds @param {boolean} isWhole
 * @returns {"" | "most" | "least" | "digits"} */
export function forbidden(value, { least, most }, isWhole) {
  if (!/^\d*$/.test(value)) return "digits";
  if (most !== undefined && Number(value) > Number(most)) return "most";
  return isWhole && value && Number(value) < Number(least) ? "least" : "";
}

/** Returns what the numbers of a row come to, where that is more than there is; else null.
 * @param {string[]} values @param {string | undefined} most */
export function excessOf(values, most) {
  const sum = values.reduce((all, value) => all + (Number(value) || 0), 0);
  return sum > Number(most) ? sum : null;
}

/** Returns a number that is stepped up or down, never below none.
 * @param {string} value @param {string} by */
export const stepped = (value, by) => Math.max(0, Number(value || 0) + Number(by));

/** Returns how many treats of a kind are held after one more, of as many as there are.
 * @param {string} value @param {string | undefined} most */
export const oneMore = (value, most) => Math.min(Number(value || 0) + 1, Number(most));

/** Returns how many treats of a kind are held after one fewer.
 * @param {string} value */
export const oneFewer = (value) => (Number(value) > 1 ? Number(value) - 1 : "");

/** Returns a list in words without its last.
 * @param {string} text */
export const withoutLast = (text) => text.trim().split(/\s+/).slice(0, -1).join(" ");
