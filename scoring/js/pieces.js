/* Tapping pieces: a first key opens the second keys, the second enters the piece.

   Pieces go into the input with data-pieces that was touched last, the plays to begin
   with. Without this file they are typed. Where a hand is recorded the preview tells by
   data-play what cannot be tapped any more, and which keys to open. */

import { fillInput, find, findAll, findForm, findInputs, findRequired } from "./dom.js";
import { startDraft } from "./draft.js";
import { leaveOutRefused } from "./entry/steps.js";
import { isCurrent } from "./phone/preview.js";
import { currentPlay, dropDraft, keepAfterRest, keepBegun, keepDraft, keepTrick, recordingOf, showUnconfirmedTaps, takeDraft } from "./pieces/recording.js";
import { disableSpent, enableAll, follows, hideAll, markTrumps, openKeys, showKeys } from "./pieces/pad.js";
import { Taps } from "./pieces/taps.js";
import { withPiece, withPieceOf, withoutPiece, wordsOf } from "./pieces/words.js";

/** Ends what listens to the page that was drawn before. @type {AbortController | undefined} */
let drawn;
const begin = () => {
  drawn?.abort();
  drawn = new AbortController();
  const form = findForm("[data-trick]");
  const keys = form && find(form, "[data-keys]");
  if (keys) start(form, keys, drawn.signal);
};
document.addEventListener("tricky:drawn", begin);
// Another phone did something: there are other pieces to tap now.
document.addEventListener("htmx:afterSwap", ({ detail }) => detail?.target?.id === "live" && begin());

/** @param {HTMLFormElement} form */
const plays = (form) => findInputs(form, "[data-pieces=plays]")[0];

/** @param {HTMLFormElement} form @param {HTMLElement} keys @param {AbortSignal} signal */
function start(form, keys, signal) {
  const recording = recordingOf(form);
  const places = findInputs(form, "[data-pieces]");
  // Who was quicker than this script has tapped one already.
  const tapped = places.find((input) => input === document.activeElement);
  const target = tapped ?? plays(form) ?? recording?.recorded ?? places[0];
  /** @type {PiecePad} */
  const pad = { form, keys, target, isTurning: false, isChoosing: false };
  const taps = new Taps();
  keys.hidden = recording !== null;
  for (const element of findAll(form, "[data-no-script], [data-typed]")) element.hidden = true;
  for (const input of findInputs(form, "[data-pieces]")) {
    input.inputMode = "none";
    input.addEventListener("focus", () => ((pad.target = input), showKeys(pad)), { signal });
  }
  keys.addEventListener("pointerdown", (event) => taps.down(event), { signal });
  keys.addEventListener("click", (event) => {
    const key = taps.keyOf(event, recording !== null && !currentPlay(recording));
    if (key) press(pad, recording, key);
  }, { signal });
  showKeys(pad);
  draw(form);
  if (recording) record(pad, recording, signal);
}

/* Pieces that are changed are seen as they look, on the fields that hold their codes. */
/** @param {HTMLFormElement} form */
function draw(form) {
  const looks = /** @type {HTMLTemplateElement | null} */ (find(form, "template[data-drawn]"));
  for (const place of looks ? findAll(form, "[data-drawn-of]") : []) {
    const input = /** @type {HTMLInputElement} */ (form.elements.namedItem(place.dataset.drawnOf ?? ""));
    const drawn = wordsOf(input.value).map((code) => looks?.content.querySelector(`[data-code="${CSS.escape(code)}"]`));
    const looked = drawn.flatMap((look) => (look ? [look.cloneNode(true)] : []));
    // What no key enters is read as it was typed.
    place.hidden = !looked.length || looked.length < drawn.length;
    place.replaceChildren(...looked);
  }
}

/** Enters pieces, and shows the keys for the next one.
 * @param {PiecePad} pad @param {Recording | null} recording @param {string} text @param {string} [opened] */
function write(pad, recording, text, opened) {
  pad.target.value = text;
  draw(pad.form);
  pad.isTurning = false;
  pad.isChoosing = false;
  enableAll(pad);
  showKeys(pad, opened);
  if (recording) {
    keepDraft(pad.form, recording.recorded.value);
    keepAfterRest(recording);
  }
  fillInput(pad.target, text);
  if (recording) showUnconfirmedTaps(recording, pad.keys);
}

/** @param {PiecePad} pad @param {Recording | null} recording @param {HTMLElement} key */
function press(pad, recording, { dataset: key }) {
  const { value, dataset: { most } } = pad.target;
  if (key.piece) {
    // Most players follow what was led.
    const opened = follows(pad) && !pad.isTurning ? openKeys(pad) : undefined;
    const text = most ? withPieceOf(value, key.piece, Number(most)) : withPiece(value, key.piece, pad.isTurning);
    write(pad, recording, text, opened);
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
  const { keys } = pad;
  const leaveOut = () => leaveOutRefused(form);
  form.addEventListener("input", leaveOut, { signal });
  leaveOut();
  startDraft(form, leaveOut, signal);
  const hear = () => {
    // What is refused stands first, and is seen.
    preview?.scrollTo(0, 0);
    const play = currentPlay(recording);
    if (play) followPlay(pad, recording, play.dataset);
    showUnconfirmedTaps(recording, keys);
  };
  preview?.addEventListener("htmx:afterSwap", hear, { signal });
  form.addEventListener("tricky:kept", () => dropDraft(form), { signal });
  hear();
  // What was entered while the network went was answered by nobody.
  const askAgain = () => (currentPlay(recording) && isCurrent(form)) || fillInput(recorded, recorded.value);
  for (const able of ["tricky:ready", "tricky:away", "tricky:back"]) document.addEventListener(able, askAgain, { signal });
  document.addEventListener("visibilitychange", () => document.hidden && keepBegun(recording), { signal });
  signal.addEventListener("abort", () => keepBegun(recording));
  // Nobody hears of a draft before the page is whole.
  const goOn = () => {
    takeDraft(form, recorded);
    showUnconfirmedTaps(recording, keys);
  };
  if (document.readyState === "complete") goOn();
  else addEventListener("load", goOn, { once: true, signal });
}

/** Shows the keys that the play asks for now.
 * @param {PiecePad} pad @param {Recording} recording @param {DOMStringMap} play */
function followPlay(pad, recording, play) {
  const { form, keys } = pad;
  const isWaiting = "waits" in play;
  const isWhole = "whole" in play;
  disableSpent(pad, play.spent);
  markTrumps(pad, play.trumps);
  // The contract makes room for the play, and comes back where it cannot be.
  if (keys.hidden && !isWaiting) find(form, ".contract")?.removeAttribute("open");
  keys.hidden = isWaiting;
  findRequired(keys, "[data-turn]").hidden = !("mayTurn" in play);
  find(form, "[data-incomplete]")?.toggleAttribute("hidden", isWhole || isWaiting);
  find(form, "[data-complete]")?.toggleAttribute("hidden", !isWhole);
  if (follows(pad) && !pad.isTurning && !pad.isChoosing && !isWhole) showKeys(pad, play.opens || undefined);
  if (isWhole) hideAll(pad);
  keepTrick(recording, play);
}

begin();
