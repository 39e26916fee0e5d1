/* Filters taps: the key under the finger when it came down counts, and a double tap counts once. */

import { findTapped } from "../dom.js";

const DOUBLE_TAP_TIME = 400; // milliseconds
const ANSWER_TIMEOUT = 3000; // milliseconds that a key waits for the preview of its first tap
const NEAR = 24; // pixels between two taps at the same place

/** @typedef {{ key: HTMLElement | null, x: number, y: number, time: number }} Press */

export class TapFilter {
  constructor() {
    /** @type {Press | undefined} */
    this.now = undefined;
    /** The last accepted one. @type {Press | undefined} */
    this.last = undefined;
  }

  /** @param {PointerEvent} event */
  handlePointerDown(event) {
    this.now = { key: findTapped(event, "button"), x: event.clientX, y: event.clientY, time: event.timeStamp };
  }

  /** Returns the tapped key, or null for a double tap.
   * @param {MouseEvent} event @param {boolean} isUnanswered whether the last tap has no preview yet
   * @returns {HTMLElement | null} */
  acceptTap(event, isUnanswered) {
    // Clicks of keyboards and screen readers have no pointer.
    if (event.detail === 0 || !this.now) return findTapped(event, "button");
    const { now, last } = this;
    this.now = undefined;
    if (last && isSameTap(now, last, isUnanswered)) return null;
    this.last = now;
    return now.key;
  }
}

/** Whether a tap repeats the last one by accident.
 * @param {Press} now @param {Press} last @param {boolean} isUnanswered */
export function isSameTap(now, last, isUnanswered) {
  const pause = now.time - last.time;
  if (now.key === last.key) return pause < (isUnanswered && now.key?.dataset.piece ? ANSWER_TIMEOUT : DOUBLE_TAP_TIME);
  return pause < DOUBLE_TAP_TIME && Math.hypot(now.x - last.x, now.y - last.y) < NEAR;
}
