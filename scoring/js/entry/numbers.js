/* Numbers as the keys of the tray enter them. */

/** @param {number} min @param {number} max */
export const numberRange = (min, max) => Array.from({ length: Math.max(0, max - min + 1) }, (_, place) => min + place);

/** Returns the part of a total that is left for a field of a row; null if other fields are empty.
 * @param {number} total @param {string[]} others */
export function remainingTotal(total, others) {
  if (others.includes("")) return null;
  return total - others.reduce((sum, value) => sum + Number(value), 0);
}

/** Whether the next step may open by itself: with the last digit and never earlier, so that people can predict it.
 * Numbers have three digits, dice have one.
 * @param {string} value @param {string | undefined} digits */
export const hasAllDigits = (value, digits) => value.replace("-", "").length >= Number(digits);

/** @param {DOMStringMap} bounds */
export const allowsNegative = ({ min }) => Number(min) < 0;

/** @param {string} value */
export const changeSign = (value) => (value.startsWith("-") ? value.slice(1) : `-${value}`);

/** Returns the bound that a number violates, or an empty string. The minimum is only checked for a complete number.
 * @param {string} value @param {DOMStringMap} bounds @param {boolean} isWhole
 * @returns {"" | "max" | "min" | "digits"} */
export function violatedBound(value, { min, max }, isWhole) {
  if (!(allowsNegative({ min }) ? /^-?\d*$/ : /^\d*$/).test(value)) return "digits";
  if (max !== undefined && Number(value) > Number(max)) return "max";
  return isWhole && value && Number(value) < Number(min) ? "min" : "";
}

/** Returns the sum of a row if it exceeds the maximum, or null.
 * @param {string[]} values @param {string | undefined} max */
export function excessSum(values, max) {
  const sum = values.reduce((all, value) => all + (Number(value) || 0), 0);
  return sum > Number(max) ? sum : null;
}

/** Returns a number after a step up or down, never below 0.
 * @param {string} value @param {string} by */
export const stepNumber = (value, by) => Math.max(0, Number(value || 0) + Number(by));

/** @param {string} value @param {string | undefined} max */
export const incrementTreats = (value, max) => Math.min(Number(value || 0) + 1, Number(max));

/** Returns the count after removing a treat; empty instead of 0.
 * @param {string} value */
export const decrementTreats = (value) => (Number(value) > 1 ? Number(value) - 1 : "");

/** @param {string} text */
export const removeLastWord = (text) => text.trim().split(/\s+/).slice(0, -1).join(" ");
