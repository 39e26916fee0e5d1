/* A hand that was saved just now is seen to arrive, and one tap takes it back. */

import { find, need } from "../dom.js";
import { newEntry } from "./entries.js";
import { keep } from "./kept.js";
import { drain } from "./outbox.js";
import { goAnew } from "./pages.js";

const LONG_ENOUGH = 10000; // milliseconds that the way back is offered
const SHORT = 15; // milliseconds of a vibration

let timer = 0;

/** @param {string | undefined} words @param {number} number */
const say = (words, number) => (words ?? "").replace("%s", String(number));

/** @param {HTMLElement} region @param {string} words */
function write(region, words) {
  const line = document.createElement("p");
  line.append(words);
  region.replaceChildren(line);
  clearTimeout(timer);
  timer = window.setTimeout(() => region.replaceChildren(), LONG_ENOUGH);
  return line;
}

/* A saved hand is felt, where the phone can and somebody has tapped; whoever wants things still is left alone. */
function feel() {
  const wantsStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!wantsStill && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(SHORT);
}

/** Lets a hand of one's own count no more, or again, and offers the way back from that.
 * @param {Entry} entry @param {"void" | "restore"} kind */
async function changeHand(entry, kind) {
  const { address, number = 0, made_by: madeBy } = entry;
  await keep({ ...newEntry(kind, address), number, made_by: madeBy });
  await drain();
  await goAnew();
  // The page was drawn anew.
  const region = need(document, "#saved");
  const { undone, again, undo, restore } = region.dataset;
  if (kind === "void") write(region, say(undone, number)).append(wayBack(restore, entry, "restore"));
  else write(region, say(again, number)).append(wayBack(undo, entry, "void"));
}

/** @param {string | undefined} words @param {Entry} entry @param {"void" | "restore"} kind */
function wayBack(words, entry, kind) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = words ?? "";
  button.addEventListener("click", () => {
    button.disabled = true;
    changeHand(entry, kind).catch((error) => console.warn("Not taken back:", error));
  });
  return button;
}

/** Shows on the sheet that a hand is there, and offers for a while to take it back.
 * @param {Entry} entry */
export function offerUndo(entry) {
  const region = document.getElementById("saved");
  const { kind, number = 0 } = entry;
  const row = find(document, `#sheet tr[data-hand="${number}"]`);
  if (kind !== "enter" || !region || !row) return;
  row.classList.add("arrived");
  feel();
  row.scrollIntoView({ block: "nearest" });
  write(region, say(region.dataset.saved, number)).append(wayBack(region.dataset.undo, entry, "void"));
}
