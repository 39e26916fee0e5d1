/* What only sheets need: they follow by themselves, and tell which phone writes. */

import { find, findRequired, findTapped } from "./dom.js";
import { phoneName } from "./keys.js";
import { startLive } from "./live.js";
import { openPage } from "./phone/pages.js";
import { createEntry } from "./phone/queue.js";
import { enqueue } from "./phone/store.js";
import { sendQueue } from "./phone/sync.js";

/** Ends what follows the page that was drawn before. @type {AbortController | undefined} */
let drawn;
function follow() {
  drawn?.abort();
  drawn = new AbortController();
  startLive(drawn.signal);
}

/* One phone of a table writes, the others follow; one tap takes over. */

let wasScorer = false; // when the sheet was last drawn

const findSheet = () => document.getElementById("sheet");

function showScorer() {
  const sheet = findSheet();
  const elsewhere = sheet && find(sheet, "[data-pen-elsewhere]");
  if (!elsewhere) return;
  const { pen, penHolder = "" } = sheet.dataset;
  const follows = Boolean(pen) && pen !== phoneName();
  elsewhere.hidden = !follows;
  findRequired(sheet, "[data-writes]").hidden = follows;
  if (wasScorer && follows) {
    const words = findRequired(document, "#kept").dataset.penGone ?? "";
    findRequired(elsewhere, "[role=status]").textContent = words.replace("%s", penHolder);
  }
  wasScorer = pen === phoneName();
}

/** @param {HTMLButtonElement} button @param {string | undefined} address */
async function takeOver(button, address = "") {
  button.disabled = true;
  try {
    await enqueue(createEntry("pen", address));
    await sendQueue();
  } catch (error) {
    // It is a courtesy: the phone can write all the same.
    console.warn("The pen was not taken:", error);
  }
}

/** @param {HTMLButtonElement} button @param {HTMLElement} sheet */
async function takeOverAndWrite(button, sheet) {
  const next = findRequired(sheet, "[data-writes]").getAttribute("href") ?? "";
  await takeOver(button, sheet.dataset.address);
  await openPage(next).catch(() => location.assign(next));
}

/** Shows which phone writes, and lets this one take over. */
function startScorer() {
  document.addEventListener("click", (event) => {
    const button = /** @type {HTMLButtonElement | null} */ (findTapped(event, "[data-take-pen]"));
    const sheet = findSheet();
    if (button && sheet) takeOverAndWrite(button, sheet);
    // In an open form nothing else changes.
    else if (button) takeOver(button, button.dataset.address);
  });
  document.addEventListener("htmx:afterSwap", showScorer);
  document.addEventListener("tricky:drawn", showScorer);
  showScorer();
}

document.addEventListener("tricky:drawn", follow);
follow();
startScorer();
