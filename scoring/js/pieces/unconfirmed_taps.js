/* Without the network, and without the rules on this phone, nobody says whose turn it is. What was tapped
   since then stands there as it was tapped, in the place of what was asked before. */

import { find } from "../dom.js";
import { currentPlay } from "./recording.js";
import { wordsOf } from "./words.js";

const PATIENCE = 1200; // milliseconds in which a hand is usually heard of

/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/** Returns what a piece is called on its keys; a die is read as it is written, `d8:7`.
 * @param {HTMLElement} keys @param {string} piece */
function nameOf(keys, piece) {
  const key = find(keys, `[data-piece="${CSS.escape(piece)}"]`);
  if (!key || piece.includes(":")) return piece;
  const kind = key.closest("[data-second]")?.getAttribute("data-second") ?? "";
  const first = find(keys, `[data-opens="${CSS.escape(kind)}"]`);
  return [first, key].map((each) => each?.textContent.trim()).filter(Boolean).join(" ");
}

/** Shows what was tapped since the referee was last heard, where nobody is there to hear.
 * @param {Recording} recording @param {HTMLElement} keys */
export function showUnconfirmedTaps(recording, keys) {
  const { form, recorded, preview } = recording;
  const place = find(form, "[data-unheard]");
  if (!place || !preview) return;
  clearTimeout(waiting);
  const isHeard = Boolean(currentPlay(recording));
  if (isHeard) return show(false);
  waiting = setTimeout(() => {
    const isAway = "away" in document.documentElement.dataset || !navigator.onLine;
    if (!currentPlay(recording) && isAway) show(true);
  }, PATIENCE);

  /** @param {boolean} isUnheard */
  function show(isUnheard) {
    if (!place || !preview) return;
    place.hidden = !isUnheard;
    preview.toggleAttribute("data-stale", isUnheard);
    if (!isUnheard) return;
    const known = Number(find(preview, "[data-play]")?.dataset.count ?? 0);
    const tapped = wordsOf(recorded.value).slice(known);
    const words = find(place, "[data-tapped]");
    if (words) words.textContent = tapped.map((piece) => nameOf(keys, piece)).join(" · ");
    // What is tapped shows that the contract was there.
    if (recorded.value) keys.hidden = false;
  }
}
