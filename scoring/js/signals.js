/* The signal of a saved hand: a short vibration, a sound, or neither, as chosen on this phone. */

import { find, onEachPage, readStorage, writeStorage } from "./browser.js";

const MAX_DELAY = 2000; // milliseconds
/** Pitches of the notes, in hertz. */
const SAVED_NOTES = [660];
const MATCH_OVER_NOTES = [523, 659, 784];
/** Vibrations and the pauses between them, in milliseconds. */
const SAVED_PULSE = [15];
const MATCH_OVER_PULSES = [60, 60, 60, 60, 120];

/** @type {AudioContext | undefined} */
let audio;

/** Lets later sounds play; browsers want a tap first. */
export const resumeAudio = () => (audio ??= new AudioContext()).resume();

/** Plays notes one after another. Synthesized, so that no file has to be fetched.
 * @param {number[]} pitches in hertz */
export async function playNotes(pitches) {
  const since = Date.now();
  await resumeAudio();
  // After a reload, browsers wait for a tap. By then the news has been seen.
  if (!audio || Date.now() - since > MAX_DELAY) return;
  for (const [place, pitch] of pitches.entries()) {
    const note = audio.createOscillator();
    const volume = audio.createGain();
    volume.gain.value = 0.2;
    note.frequency.value = pitch;
    note.connect(volume).connect(audio.destination);
    note.start(audio.currentTime + place * 0.25);
    note.stop(audio.currentTime + place * 0.25 + 0.2);
  }
}

/* Nothing vibrates by itself if people prefer less motion. */
const chosenSignal = () =>
  readStorage("signal") ?? (matchMedia("(prefers-reduced-motion: reduce)").matches ? "none" : "vibration");

/** Vibrates or plays a sound, a longer one if the page shows the end of the match. */
export function signalSaved() {
  const isOver = Boolean(find(document, "[data-match-over]"));
  const signal = chosenSignal();
  if (signal === "sound") void playNotes(isOver ? MATCH_OVER_NOTES : SAVED_NOTES);
  else if (signal === "vibration" && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(isOver ? MATCH_OVER_PULSES : SAVED_PULSE);
}

onEachPage("tricky:drawn", () => {
  const control = find(document, "[data-signal-choice]");
  if (!control) return;
  const chosen = /** @type {HTMLInputElement | null} */ (find(control, `[value="${chosenSignal()}"]`));
  if (chosen) chosen.checked = true;
  control.hidden = false;
  control.addEventListener("change", ({ target }) => {
    writeStorage("signal", /** @type {HTMLInputElement} */ (target).value);
    signalSaved();
  });
});
