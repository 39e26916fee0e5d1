/* Parts of a page, as the kinds of elements that they are. */

/** Returns the elements that match.
 * @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} */
export const findAll = (root, selector) => [...root.querySelectorAll(/** @type {"p"} */ (selector))];

/** Returns the inputs that match.
 * @param {ParentNode} root @param {string} selector @returns {HTMLInputElement[]} */
export const findInputs = (root, selector) => [...root.querySelectorAll(/** @type {"input"} */ (selector))];

/** Whether an element is drawn, though it may be out of sight. Asked by what it takes of the page: some
 * browsers lack `checkVisibility`, or answer wrongly while a style sheet is on its way.
 * @param {Element} element */
export const isDrawn = (element) => element.getClientRects().length > 0 && !element.closest("details:not([open])");

/** Returns the first element that matches, if any does.
 * @param {ParentNode} root @param {string} selector @returns {HTMLElement | null} */
export const find = (root, selector) => root.querySelector(selector);

/** Returns the first element that matches, where the page always has one.
 * @param {ParentNode} root @param {string} selector */
export const findRequired = (root, selector) => /** @type {HTMLElement} */ (root.querySelector(selector));

/** Returns the form that matches, if any does.
 * @param {string} selector @returns {HTMLFormElement | null} */
export const findForm = (selector) => document.querySelector(selector);

/** Returns what was tapped, or stands around it, where that matches.
 * @param {Event} event @param {string} selector @returns {HTMLElement | null} */
export const findTapped = ({ target }, selector) => /** @type {Element} */ (target).closest(selector);

/** Puts a value in an input and tells whoever listens.
 * @param {HTMLInputElement} input @param {string | number} value */
export function fillInput(input, value) {
  input.value = String(value);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
