/* Sound and vibration of an open page, if people switch them on. For devices without notifications. */

import { find, onEachPage, readStorage, writeStorage } from "../../scoring/js/browser.js";
import { playNotes, resumeAudio } from "../../scoring/js/signals.js";

const VIBRATION = [200, 100, 200]; // milliseconds
/** Pitches of the notes, in hertz. */
const NOTES = [660, 880];

/** Starts the page's switch, whose state is stored under this key. Returns a function that plays the sound and vibrates,
 * if that is switched on.
 * @param {string} storageKey */
export function startSound(storageKey) {
  // Without storage, it is off on each page.
  let isWanted = readStorage(storageKey) === "1";
  const notify = () => {
    if (!isWanted) return;
    void playNotes(NOTES);
    navigator.vibrate?.(VIBRATION);
  };
  for (const tap of ["pointerup", "keyup"]) addEventListener(tap, () => isWanted && void resumeAudio());

  const toggle = () => {
    isWanted = !isWanted;
    writeStorage(storageKey, isWanted ? "1" : "0");
    notify();
  };
  // An update may bring a new switch.
  onEachPage("htmx:afterSwap", () => {
    const button = find(document, "[data-sound]");
    if (!button?.hidden) return;
    const show = () => button.setAttribute("aria-pressed", String(isWanted));
    button.hidden = false;
    button.closest("details")?.removeAttribute("hidden");
    button.addEventListener("click", () => {
      toggle();
      show();
    });
    show();
  });
  return notify;
}
