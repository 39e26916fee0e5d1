/* The sheet: live updates, and which phone is the scorer. */

import { fillText, find, findRequired, findTapped, listen, onEachPage } from "./browser.js";
import { phoneName } from "./keys.js";
import { startLive } from "./live.js";
import { openPage } from "./phone/pages.js";
import { createEntry } from "./phone/queue.js";
import { enqueue } from "./phone/store.js";
import { sendQueue } from "./phone/sync.js";

onEachPage("tricky:drawn", startLive);

/* One phone of a table is the scorer, the others watch. One tap takes over. */

let wasScorer = false; // when the sheet was last drawn
/** The version of a match on which this phone took over: a page as old does not ask again. @type {string | undefined} */
let takeoverVersion;

/** @param {HTMLElement} sheet */
const versionOf = ({ dataset: { address, version } }) => `${address} ${version}`;

const findSheet = () => document.getElementById("sheet");

function showScorer() {
  const sheet = findSheet();
  const notice = sheet && find(sheet, "[data-other-scorer]");
  if (!notice) return;
  const { scorerPhone, scorerName = "" } = sheet.dataset;
  const follows = Boolean(scorerPhone) && scorerPhone !== phoneName() && versionOf(sheet) !== takeoverVersion;
  notice.hidden = !follows;
  findRequired(sheet, "[data-new-hand-link]").hidden = follows;
  if (wasScorer && follows) {
    const { newScorerText } = findRequired(document, "#queue-status").dataset;
    findRequired(notice, "[role=status]").textContent = fillText(newScorerText, scorerName);
  }
  wasScorer = scorerPhone === phoneName();
}

listen("click", async (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (findTapped(event, "[data-scorer-button]"));
  if (!button) return;
  const sheet = findSheet();
  const next = sheet && find(sheet, "[data-new-hand-link]")?.getAttribute("href");
  button.disabled = true;
  takeoverVersion = versionOf(sheet ?? button);
  try {
    await enqueue(createEntry("pen", (sheet ?? button).dataset.address ?? ""));
    await sendQueue();
  } catch (error) {
    // The phone can enter hands all the same.
    console.warn("Not taken over:", error);
  }
  // An open form stays as it is.
  if (next) openPage(next).catch(() => location.assign(next));
});
onEachPage("tricky:drawn htmx:afterSwap", showScorer);
