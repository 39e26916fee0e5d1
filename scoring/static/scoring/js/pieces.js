/* Tapping pieces: a first key opens the second keys, the second enters the piece.

   Pieces go into the input with data-pieces that was touched last, the plays to begin
   with. Without this file they are typed. Where a hand is recorded the preview tells by
   data-play what cannot be tapped any more, and which keys to open. */

import { all, enter, find, formAt, inputs, need } from "./dom.js";
import { dropDraft, keepDraft, takeDraft } from "./pieces/draft.js";
import { disableSpent, enableAll, follows, hideAll, openKeys, showKeys } from "./pieces/pad.js";
import { currentPlay, keepAfterRest, keepBegun, keepTrick, recordingOf } from "./pieces/recording.js";
import { withPiece, withoutPiece } from "./pieces/words.js";

/** Ends what listens to the page that was drawn before. @type {AbortController | undefined} */
let drawn;
const begin = () => {
  drawn?.abort();
  drawn = new AbortController();
  const form = formAt("[data-trick]");
  const keys = form && find(form, "[data-keys]");
  if (keys) start(form, keys, drawn.signal);
};
document.addEventListener("tricky:drawn", begin);
// Another phone did something: there are other pieces to tap now.
document.addEventListener("htmx:afterSwap", ({ detail }) => detail?.target?.id === "live" && begin());

/** @param {HTMLFormElement} form */
const plays = (form) => inputs(form, "[data-pieces=plays]")[0];

/** @param {HTMLFormElement} form @param {HTMLElement} keys @param {AbortSignal} signal */
function start(form, keys, signal) {
  const recording = recordingOf(form);
  const target = plays(form) ?? recording?.recorded;
  /** @type {PiecePad} */
  const pad = { form, keys, target, isTurning: false, isChoosing: false };
  keys.hidden = recording !== null;
  for (const element of all(form, "[data-no-script], [data-typed]")) element.hidden = true;
  for (const input of inputs(form, "[data-pieces]")) {
    input.inputMode = "none";
    input.addEventListener("focus", () => ((pad.target = input), showKeys(pad)), { signal });
  }
  keys.addEventListener("click", (event) => press(pad, recording, /** @type {HTMLElement} */ (event.target)), { signal });
  showKeys(pad);
  if (recording) record(pad, recording, signal);
}

/** Enters pieces, and shows the keys for the next one.
 * @param {PiecePad} pad @param {Recording | null} recording @param {string} text @param {string} [opened] */
function write(pad, recording, text, opened) {
  pad.target.value = text;
  pad.isTurning = false;
  pad.isChoosing = false;
  enableAll(pad);
  showKeys(pad, opened);
  if (recording) {
    keepDraft(pad.form, recording.recorded.value);
    keepAfterRest(recording);
  }
  enter(pad.target, text);
}

/** @param {PiecePad} pad @param {Recording | null} recording @param {HTMLElement} key */
function press(pad, recording, { dataset: key }) {
  const { value } = pad.target;
  if (key.piece) {
    // Most players follow what was led.
    const opened = follows(pad) && !pad.isTurning ? openKeys(pad) : undefined;
    write(pad, recording, withPiece(value, key.piece, pad.isTurning), opened);
  } else if (key.opens || "back" in key) {
    pad.isChoosing = true;
    showKeys(pad, key.opens);
  } else if ("undo" in key) write(pad, recording, withoutPiece(value));
  else if ("turn" in key) {
    pad.isTurning = true;
    showKeys(pad);
  } else if ("again" in key) {
    pad.target = plays(pad.form);
    write(pad, recording, "");
  }
}

/** Follows what the referee says of the hand, and keeps it as it grows.
 * @param {PiecePad} pad @param {Recording} recording @param {AbortSignal} signal */
function record(pad, recording, signal) {
  const { form, recorded, preview } = recording;
  const hear = () => {
    const play = currentPlay(recording);
    if (play) followPlay(pad, recording, play.dataset);
  };
  preview?.addEventListener("htmx:afterSwap", hear, { signal });
  form.addEventListener("submit", () => dropDraft(form), { signal });
  hear();
  document.addEventListener("visibilitychange", () => document.hidden && keepBegun(recording), { signal });
  signal.addEventListener("abort", () => keepBegun(recording));
  // Nobody hears of a draft before the page is whole.
  if (document.readyState === "complete") takeDraft(form, recorded);
  else addEventListener("load", () => takeDraft(form, recorded), { once: true, signal });
}

/** Shows the keys that the play asks for now.
 * @param {PiecePad} pad @param {Recording} recording @param {DOMStringMap} play */
function followPlay(pad, recording, play) {
  const { form, keys } = pad;
  const isWaiting = "waits" in play;
  const isWhole = "whole" in play;
  disableSpent(pad, play.spent);
  // The contract makes room for the play, and comes back where it cannot be.
  if (keys.hidden && !isWaiting) find(form, ".contract")?.removeAttribute("open");
  keys.hidden = isWaiting;
  need(keys, "[data-turn]").hidden = !("mayTurn" in play);
  find(form, "[data-incomplete]")?.toggleAttribute("hidden", isWhole || isWaiting);
  find(form, "[data-complete]")?.toggleAttribute("hidden", !isWhole);
  if (follows(pad) && !pad.isTurning && !pad.isChoosing && !isWhole) showKeys(pad, play.opens || undefined);
  if (isWhole) hideAll(pad);
  keepTrick(recording, play);
}

begin();
