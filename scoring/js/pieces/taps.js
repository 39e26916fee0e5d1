/* What a finger meant: the key that it came down on, once. */

import { findTapped } from "../dom.js";

const TWICE = 400; // milliseconds within which a second tap is the same one
const UNANSWERED = 3000; // milliseconds for which a key waits for what its first tap came to
const NEAR = 24; // pixels that a finger strays between two taps

/** A tap as it began. @typedef {{ key: HTMLElement | null, x: number, y: number, time: number }} Down */

/** Tells taps that were meant from those that a finger made twice. */
export class Taps {
  constructor() {
    /** @type {Down | undefined} */
    this.now = undefined;
    /** The last one that was meant. @type {Down | undefined} */
    this.last = undefined;
  }

  /** Notes where a finger comes down; whatever is shown there when it goes up.
   * @param {PointerEvent} event */
  down(event) {
    this.now = { key: findTapped(event, "button"), x: event.clientX, y: event.clientY, time: event.timeStamp };
  }

  /** Returns the key that was meant; none for a second tap of the same finger.
   * @param {MouseEvent} event @param {boolean} isUnanswered whether it is not known yet what the last tap came to
   * @returns {HTMLElement | null} */
  keyOf(event, isUnanswered) {
    // A keyboard, or whoever reads the screen aloud, has no finger.
    if (event.detail === 0 || !this.now) return findTapped(event, "button");
    const { now, last } = this;
    this.now = undefined;
    if (last && isSame(now, last, isUnanswered)) return null;
    this.last = now;
    return now.key;
  }
}

/** Whether a tap is the one before once more.
 * @param {Down} now @param {Down} last @param {boolean} isUnanswered */
export function isSame(now, last, isUnanswered) {
  const pause = now.time - last.time;
  if (now.key === last.key) return pause < (isUnanswered && now.key?.dataset.piece ? UNANSWERED : TWICE);
  return pause < TWICE && Math.hypot(now.x - last.x, now.y - last.y) < NEAR;
}
