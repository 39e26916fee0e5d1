/* Finds elements, with their types. */

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} */
export const findAll = (root, selector) => [...root.querySelectorAll(/** @type {"p"} */ (selector))];

/** @param {ParentNode} root @param {string} selector @returns {HTMLInputElement[]} */
export const findInputs = (root, selector) => [...root.querySelectorAll(/** @type {"input"} */ (selector))];

/** Whether an element takes space on the page, even if it is scrolled out of view. Not by `checkVisibility`: some
 * browsers lack it, or answer wrongly while a style sheet loads.
 * @param {Element} element */
export const isDrawn = (element) => element.getClientRects().length > 0 && !element.closest("details:not([open])");

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement | null} */
export const find = (root, selector) => root.querySelector(selector);

/** Returns the first element that matches; for elements that the page always has.
 * @param {ParentNode} root @param {string} selector */
export const findRequired = (root, selector) => /** @type {HTMLElement} */ (root.querySelector(selector));

/** @param {string} selector @returns {HTMLFormElement | null} */
export const findForm = (selector) => document.querySelector(selector);

/** Returns the tapped element or its closest ancestor that matches.
 * @param {Event} event @param {string} selector @returns {HTMLElement | null} */
export const findTapped = ({ target }, selector) => /** @type {Element} */ (target).closest(selector);

/** Sets the value of an input and fires an `input` event.
 * @param {HTMLInputElement} input @param {string | number} value */
export function fillInput(input, value) {
  input.value = String(value);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
