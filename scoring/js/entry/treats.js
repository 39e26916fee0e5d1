/* Treats: a kind is gained in the tray and lost by a tap on its chip. */

import { all, enter, inputs } from "../dom.js";
import { oneFewer, oneMore } from "./numbers.js";
import { inputsNamed } from "./steps.js";

/** The seat whose step is open has one more of a kind.
 * @param {Pad} pad @param {string} kind */
export function gain({ form, current }, kind) {
  const [treat] = inputsNamed(form, `treats_${current?.dataset.treats}_${kind}`);
  enter(treat, oneMore(treat.value, treat.dataset.most));
}

/** Shows the treats that are held.
 * @param {HTMLFormElement} form */
export function showTreats(form) {
  for (const chip of all(form, ".treat")) {
    chip.hidden = !Number(inputs(chip, "input")[0].value);
    chip.title = chip.textContent;
  }
}

/** @param {HTMLFormElement} form */
export function listenToTreats(form) {
  for (const chip of all(form, ".treat")) {
    chip.addEventListener("click", (event) => {
      const [treat] = inputs(chip, "input");
      event.preventDefault();
      enter(treat, oneFewer(treat.value));
    });
  }
}
