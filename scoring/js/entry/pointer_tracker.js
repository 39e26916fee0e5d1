/* A tap counts for the key under the finger when it came down, even if the page moved before it went up. */

import { isDrawn } from "../browser.js";

const MAX_DISTANCE = 24; // pixels that a finger may move during a tap
const CLICK_DELAY = 60; // milliseconds between the release of a finger and its click

/** @typedef {{ key: HTMLElement | null, x: number, y: number }} PressedPointer */

/** Tracks the pressed pointers of a page, and delays what would move the page until all are released. */
export class PointerTracker {
  /** @param {HTMLElement} tray @param {AbortSignal} signal */
  constructor(tray, signal) {
    this.tray = tray;
    /** By pointer. @type {Map<number, PressedPointer>} */
    this.pressed = new Map();
    /** The last pointer that was released; its click is still to come. @type {PressedPointer | null} */
    this.released = null;
    /** @type {(() => void) | null} */
    this.pendingAction = null;
    const options = { capture: true, signal };
    document.addEventListener("pointerdown", (event) => this.handlePointerDown(event), options);
    document.addEventListener("pointerup", (event) => this.handlePointerUp(event), options);
    // A finger that scrolls does not tap.
    document.addEventListener("pointercancel", (event) => (this.handlePointerUp(event), (this.released = null)), options);
    document.addEventListener("click", (event) => this.redirectClick(event), options);
  }

  /** @param {PointerEvent} event */
  handlePointerDown({ pointerId, target, clientX: x, clientY: y }) {
    const key = /** @type {Element} */ (target).closest("button, label");
    const isKey = key && this.tray.contains(key);
    this.pressed.set(pointerId, { key: isKey ? /** @type {HTMLElement} */ (key) : null, x, y });
  }

  /** @param {PointerEvent} event */
  handlePointerUp({ pointerId }) {
    this.released = this.pressed.get(pointerId) ?? null;
    this.pressed.delete(pointerId);
    setTimeout(() => this.runIfReleased(), CLICK_DELAY);
  }

  /** Redirects a click on another element to the key that was pressed, if that is still visible.
   * @param {MouseEvent} event */
  redirectClick(event) {
    const { released } = this;
    // Clicks of keyboards and screen readers have no pointer.
    if (event.detail === 0 || !released) return;
    this.released = null;
    const isTap = Math.hypot(event.clientX - released.x, event.clientY - released.y) < MAX_DISTANCE;
    const hit = /** @type {Element} */ (event.target).closest("button, label");
    if (!released.key || !isTap || hit === released.key) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isDrawn(released.key)) released.key.click();
  }

  /** Runs an action that moves the page, as soon as no pointer is pressed. A later action replaces a pending one.
   * @param {() => void} action */
  runWhenReleased(action) {
    this.pendingAction = action;
    this.runIfReleased();
  }

  runIfReleased() {
    if (this.pressed.size) return;
    const { pendingAction } = this;
    this.pendingAction = null;
    pendingAction?.();
  }
}
