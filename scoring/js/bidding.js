/* The keypad of an auction: a digit goes into the field of the next bid, and the key without one deletes the last. */

import { findTapped, listen } from "./browser.js";

listen("click", (event) => {
  const key = /** @type {HTMLButtonElement | null} */ (findTapped(event, "[data-digit]"));
  const input = key?.form?.call;
  if (input) input.value = key.value ? input.value + key.value : input.value.slice(0, -1);
});
