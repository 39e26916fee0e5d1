/* What stands alone, as "Everybody passed" does, and all the rest exclude each other: what was said
   last holds, and is seen to. */

import { find, inputs } from "../dom.js";

/** @param {HTMLFormElement} form @param {() => void} refresh @param {AbortSignal} signal */
export function excludeOthers(form, refresh, signal) {
  const alone = /** @type {HTMLInputElement | null} */ (find(form, "[data-alone]"));
  if (!alone) return;
  const others = inputs(form, "[data-path]:not([data-alone], [data-as=bids])");
  const exclude = (/** @type {Event} */ { target }) => {
    if (!alone.checked) return;
    if (target === alone) {
      for (const input of others) {
        if (input.type === "radio") input.checked = false;
        else input.value = "";
      }
    } else if (others.includes(/** @type {HTMLInputElement} */ (target))) alone.checked = false;
    refresh();
  };
  form.addEventListener("input", exclude, { signal });
}
