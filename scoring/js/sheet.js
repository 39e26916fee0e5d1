/* The sheet: live updates, and which phone is the scorer. */

import { find, findRequired, findTapped } from "./dom.js";
import { phoneName } from "./keys.js";
import { startLive } from "./live.js";
import { openPage } from "./phone/pages.js";
import { createEntry } from "./phone/queue.js";
import { enqueue } from "./phone/store.js";
import { sendQueue } from "./phone/sync.js";

/** Ends the live updates of the previous page. @type {AbortController | undefined} */
let pageAbort;
function startPage() {
  pageAbort?.abort();
  pageAbort = new AbortController();
  startLive(pageAbort.signal);
}

/* One phone of a table is the scorer, the others watch. One tap takes over. */

let wasScorer = false; // when the sheet was last drawn

const findSheet = () => document.getElementById("sheet");

function showScorer() {
  const sheet = findSheet();
  const notice = sheet && find(sheet, "[data-other-scorer]");
  if (!notice) return;
  const { scorerPhone, scorerName = "" } = sheet.dataset;
  const follows = Boolean(scorerPhone) && scorerPhone !== phoneName();
  notice.hidden = !follows;
  findRequired(sheet, "[data-new-hand-link]").hidden = follows;
  if (wasScorer && follows) {
    const words = findRequired(document, "#queue-status").dataset.newScorerText ?? "";
    findRequired(notice, "[role=status]").textContent = words.replace("%s", scorerName);
  }
  wasScorer = scorerPhone === phoneName();
}

/** @param {HTMLButtonElement} button @param {string | undefined} address */
async function takeOver(button, address = "") {
  button.disabled = true;
  try {
    await enqueue(createEntry("pen", address));
    await sendQueue();
  } catch (error) {
    // The phone can enter hands all the same.
    console.warn("Not taken over:", error);
  }
}

/** @param {HTMLButtonElement} button @param {HTMLElement} sheet */
async function takeOverAndWrite(button, sheet) {
  const next = findRequired(sheet, "[data-new-hand-link]").getAttribute("href") ?? "";
  await takeOver(button, sheet.dataset.address);
  await openPage(next).catch(() => location.assign(next));
}

/** Shows which phone is the scorer, and lets this one take over. */
function startScorer() {
  document.addEventListener("click", (event) => {
    const button = /** @type {HTMLButtonElement | null} */ (findTapped(event, "[data-scorer-button]"));
    const sheet = findSheet();
    if (button && sheet) takeOverAndWrite(button, sheet);
    // An open form stays as it is.
    else if (button) takeOver(button, button.dataset.address);
  });
  document.addEventListener("htmx:afterSwap", showScorer);
  document.addEventListener("tricky:drawn", showScorer);
  showScorer();
}

document.addEventListener("tricky:drawn", startPage);
startPage();
startScorer();
