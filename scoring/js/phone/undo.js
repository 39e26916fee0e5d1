/* A hand that was saved just now is seen to arrive, and one tap takes it back. */

const LONG_ENOUGH = 10000; // milliseconds that the way back is offered
const SHORT = 15; // milliseconds of a vibration

let timer = 0;

/* A saved hand is felt, where the phone can and somebody has tapped; whoever wants things still is left alone. */
function feel() {
  const wantsStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!wantsStill && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(SHORT);
}

/** Says for a while what became of a hand, and offers the way back from that.
 * @param {number} number @param {string} kind of the entry that was made last
 * @param {(kind: "void" | "restore") => Promise<unknown>} change lets the hand count no more, or again */
function offerWayBack(number, kind, change) {
  const region = document.getElementById("saved");
  const { toVoid = "", toRestore = "", [kind]: said = "" } = region?.dataset ?? {};
  const [back, words] = kind === "void" ? /** @type {const} */ (["restore", toRestore]) : /** @type {const} */ (["void", toVoid]);
  const line = document.createElement("p");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = words;
  button.addEventListener("click", () => {
    button.disabled = true;
    // The page is drawn anew by then.
    change(back)
      .then(() => offerWayBack(number, back, change))
      .catch((error) => console.warn("Not taken back:", error));
  });
  line.append(said.replace("%s", String(number)), button);
  region?.replaceChildren(line);
  clearTimeout(timer);
  timer = window.setTimeout(() => region?.replaceChildren(), LONG_ENOUGH);
}

/** Shows, on the sheet in its row, that a hand is there, and offers for a while to take it back.
 * @param {number} number @param {(kind: "void" | "restore") => Promise<unknown>} change */
export function offerUndo(number, change) {
  const row = document.querySelector(`#sheet tr[data-hand="${number}"]`);
  row?.classList.add("arrived");
  feel();
  row?.scrollIntoView({ block: "nearest" });
  offerWayBack(number, "enter", change);
}
