/* Sound and vibration of an open page, if people switch them on. For devices without notifications. */

import { find, onEachPage, readStorage, writeStorage } from "../../scoring/js/browser.js";

const VIBRATION = [200, 100, 200]; // milliseconds
const MAX_DELAY = 2000; // milliseconds

/** @type {AudioContext | undefined} */
let audio;

/* Synthesized, so that no file has to be fetched. */
async function playNotes() {
  const since = Date.now();
  audio ??= new AudioContext();
  // After a reload, browsers wait for a tap. By then the news has been seen.
  await audio.resume();
  if (Date.now() - since > MAX_DELAY) return;
  for (const [place, pitch] of [660, 880].entries()) {
    const note = audio.createOscillator();
    const volume = audio.createGain();
    volume.gain.value = 0.2;
    note.frequency.value = pitch;
    note.connect(volume).connect(audio.destination);
    note.start(audio.currentTime + place * 0.25);
    note.stop(audio.currentTime + place * 0.25 + 0.2);
  }
}

/** Starts the page's switch, whose state is stored under this key. Returns a function that plays the sound and vibrates,
 * if that is switched on.
 * @param {string} storageKey */
export function startSound(storageKey) {
  // Without storage, it is off on each page.
  let isWanted = readStorage(storageKey) === "1";
  const notify = () => {
    if (!isWanted) return;
    void playNotes();
    navigator.vibrate?.(VIBRATION);
  };
  const resumeAudio = () => isWanted && void (audio ??= new AudioContext()).resume();
  for (const tap of ["pointerup", "keyup"]) addEventListener(tap, resumeAudio);

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
