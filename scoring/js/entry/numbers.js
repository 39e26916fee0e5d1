/* Numbers as the keys of the tray enter them. */

/** @param {number} least @param {number} most */
export const numberRange = (least, most) => Array.from({ length: Math.max(0, most - least + 1) }, (_, place) => least + place);

/** Returns the part of a total that is left for a field of a row; null if other fields are empty.
 * @param {number} total @param {string[]} others */
export function remainingTotal(total, others) {
  if (others.includes("")) return null;
  return total - others.reduce((sum, value) => sum + Number(value), 0);
}

/** Whether the next step may open by itself: with the last digit and never earlier, so that people can predict it.
 * Numbers have three digits, dice have one.
 * @param {string} value @param {string | undefined} digits */
export const hasAllDigits = (value, digits) => value.length >= Number(digits);

/** Returns the bound that a number violates, or an empty string. The minimum is only checked for a complete number.
 * @param {string} value @param {DOMStringMap} bounds @param {boolean} isWhole
 * @returns {"" | "most" | "least" | "digits"} */
export function violatedBound(value, { least, most }, isWhole) {
  if (!/^\d*$/.test(value)) return "digits";
  if (most !== undefined && Number(value) > Number(most)) return "most";
  return isWhole && value && Number(value) < Number(least) ? "least" : "";
}

/** Returns the sum of a row if it exceeds the maximum, or null.
 * @param {string[]} values @param {string | undefined} most */
export function excessSum(values, most) {
  const sum = values.reduce((all, value) => all + (Number(value) || 0), 0);
  return sum > Number(most) ? sum : null;
}

/** Returns a number after a step up or down, never below 0.
 * @param {string} value @param {string} by */
export const stepNumber = (value, by) => Math.max(0, Number(value || 0) + Number(by));

/** @param {string} value @param {string | undefined} most */
export const incrementTreats = (value, most) => Math.min(Number(value || 0) + 1, Number(most));

/** Returns the count after removing a treat; empty instead of 0.
 * @param {string} value */
export const decrementTreats = (value) => (Number(value) > 1 ? Number(value) - 1 : "");

/** @param {string} text */
export const removeLastWord = (text) => text.trim().split(/\s+/).slice(0, -1).join(" ");
