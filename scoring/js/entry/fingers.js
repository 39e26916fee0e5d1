/* A tap counts for the key that the finger came down on, whatever lies there when it goes up. */

import { isDrawn } from "../dom.js";

const NEAR = 24; // pixels that a finger strays while it taps
const LIFTED = 60; // milliseconds after which a finger that went up has tapped

/** Where a finger came down. @typedef {{ key: HTMLElement | null, x: number, y: number }} Down */

/** The fingers on a page, and what waits until none is. */
export class Fingers {
  /** @param {HTMLElement} tray @param {AbortSignal} signal */
  constructor(tray, signal) {
    this.tray = tray;
    /** By pointer. @type {Map<number, Down>} */
    this.down = new Map();
    /** The one that went up last: its click is still to come. @type {Down | null} */
    this.lifted = null;
    /** @type {(() => void) | null} */
    this.waiting = null;
    const options = { capture: true, signal };
    document.addEventListener("pointerdown", (event) => this.comesDown(event), options);
    document.addEventListener("pointerup", (event) => this.goesUp(event), options);
    // A finger that scrolls taps nothing.
    document.addEventListener("pointercancel", (event) => (this.goesUp(event), (this.lifted = null)), options);
    document.addEventListener("click", (event) => this.lead(event), options);
  }

  /** @param {PointerEvent} event */
  comesDown({ pointerId, target, clientX: x, clientY: y }) {
    const key = /** @type {Element} */ (target).closest("button, label");
    const isKey = key && this.tray.contains(key);
    this.down.set(pointerId, { key: isKey ? /** @type {HTMLElement} */ (key) : null, x, y });
  }

  /** @param {PointerEvent} event */
  goesUp({ pointerId }) {
    this.lifted = this.down.get(pointerId) ?? null;
    this.down.delete(pointerId);
    setTimeout(() => this.rest(), LIFTED);
  }

  /** Leads a click that fell on something else to the key that was meant, where that can still be tapped.
   * @param {MouseEvent} event */
  lead(event) {
    const { lifted } = this;
    // A keyboard, or whoever reads the screen aloud, has no finger.
    if (event.detail === 0 || !lifted) return;
    this.lifted = null;
    const isTap = Math.hypot(event.clientX - lifted.x, event.clientY - lifted.y) < NEAR;
    const hit = /** @type {Element} */ (event.target).closest("button, label");
    if (!lifted.key || !isTap || hit === lifted.key) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isDrawn(lifted.key)) lifted.key.click();
  }

  /** Does what moves the page: at once, or as soon as no finger is down. What came later takes its place.
   * @param {() => void} act */
  whenUp(act) {
    this.waiting = act;
    this.rest();
  }

  rest() {
    if (this.down.size) return;
    const { waiting } = this;
    this.waiting = null;
    waiting?.();
  }
}
