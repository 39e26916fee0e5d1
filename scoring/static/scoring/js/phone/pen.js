/* One phone of a table writes, the others follow; the pen is taken by one tap. */

import { newKey, phoneName } from "../keys.js";
import { keep } from "./kept.js";
import { drain } from "./outbox.js";
import { go } from "./pages.js";

let had = false; // whether this phone had the pen when the sheet was last drawn

function show() {
  const sheet = document.getElementById("sheet");
  const elsewhere = sheet?.querySelector("[data-pen-elsewhere]");
  if (!elsewhere) return;
  const { pen, penHolder } = sheet.dataset;
  const follows = Boolean(pen) && pen !== phoneName();
  elsewhere.hidden = !follows;
  sheet.querySelector("[data-writes]").hidden = follows;
  if (had && follows) {
    const words = document.getElementById("kept").dataset.penGone.replace("%s", penHolder);
    elsewhere.querySelector("[role=status]").textContent = words;
  }
  had = pen === phoneName();
}

async function take(button) {
  const sheet = document.getElementById("sheet");
  const { address } = sheet.dataset;
  const next = sheet.querySelector("[data-writes]").getAttribute("href");
  button.disabled = true;
  const pen = { key: newKey(), kind: "pen", address, phone: phoneName(), entered_at: new Date().toISOString() };
  try {
    await keep(pen);
    await drain();
  } catch (error) {
    // It is a courtesy: whoever cannot say so writes all the same.
    console.warn("The pen was not taken:", error);
  }
  await go(next).catch(() => location.assign(next));
}

export function startPen() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-take-pen]");
    if (button) take(button);
  });
  for (const changed of ["htmx:afterSwap", "tricky:drawn"]) document.addEventListener(changed, show);
  show();
}
