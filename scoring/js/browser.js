/* What all scripts need of the browser: elements, events of the page, texts, and storage. */

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

/** Whether a tap is not for another window or a download, which are left to the browser.
 * @param {MouseEvent} event @param {HTMLAnchorElement} link */
export const isPlainTap = ({ button, metaKey, ctrlKey, shiftKey, altKey }, link) =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey || link.download || link.target);

/** @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {object} [properties] @param {...(string | Node)} content */
export function createElement(tag, properties, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

/** Sets the value of an input and fires an `input` event.
 * @param {HTMLInputElement} input @param {string | number} value */
export function fillInput(input, value) {
  input.value = String(value);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Returns a text with the values in the places of `%s`.
 * @param {string | undefined} text @param {...(string | number)} values */
export const fillText = (text = "", ...values) => values.reduce((/** @type {string} */ filled, value) => filled.replace("%s", String(value)), text);

/** Returns a time as in the site's time zone.
 * @param {Date} time */
export function formatTime(time) {
  const { lang, dataset: { timeZone } } = document.documentElement;
  return time.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", hourCycle: lang === "en-us" ? "h12" : "h23", timeZone });
}

/** @param {string} name */
export const announce = (name, detail = {}) => document.dispatchEvent(new CustomEvent(name, { detail }));

/** Listens to events of the document, given by names with spaces between them.
 * @param {string} names @param {(event: any) => unknown} action @param {AddEventListenerOptions} [options] */
export function listen(names, action, options) {
  for (const name of names.split(" ")) document.addEventListener(name, action, options);
}

/** Runs an action now, and after each of these events, usually `tricky:drawn`. Its signal ends when it runs again.
 * @param {string} names @param {(signal: AbortSignal) => unknown} action @returns {() => void} runs it again */
export function onEachPage(names, action) {
  let abort = new AbortController();
  const run = () => {
    abort.abort();
    abort = new AbortController();
    action(abort.signal);
  };
  listen(names, run);
  run();
  return run;
}

/* Storage may throw in private windows. */

/** Returns a stored text, null if there is none, or undefined without storage.
 * @param {string} name */
export function readStorage(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return undefined;
  }
}

/** Stores a text, or removes it if it is empty. Returns whether it could.
 * @param {string} name @param {string} text */
export function writeStorage(name, text) {
  try {
    if (text) localStorage.setItem(name, text);
    else localStorage.removeItem(name);
    return true;
  } catch {
    return false;
  }
}
