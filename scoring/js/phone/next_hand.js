/* The number of the next hand, its empty form, and hands that the sheet does not show yet. */

import { createElement, find, findAll, findForm, findRequired, listen } from "../browser.js";
import { currentUrl, matchAddress, toUrl } from "./addresses.js";
import * as local from "./local_server.js";
import { drawPage, openPage } from "./pages.js";
import { firstMissingNumber, forgetEntry, serverHandNumbers } from "./queue.js";
import { carryOver } from "./record.js";
import { announceOutbox, queuedEntries, readSnapshot, unsentEntries } from "./store.js";

/** @param {QueuedEntry} entry */
const isNewHand = ({ kind, state }) => kind === "enter" && !state;

/* On the server or in the queue. */
/** @param {string} address @returns {Promise<Set<number | undefined>>} */
async function knownHandNumbers(address) {
  const { matches: [held], entries } = await readSnapshot(address);
  const onPhone = /** @type {QueuedEntry[]} */ (entries).filter(isNewHand);
  return new Set([...serverHandNumbers(held), ...onPhone.map(({ number }) => number)]);
}

const SCORING_KINDS = new Set(["enter", "replace", "void", "restore", "keep"]); // kinds of entries that change scores

/** Removes the line about the next turn, because it depends on a hand that the page did not know. */
const removeTurn = () => {
  for (const element of findAll(document, "[data-next-turn]")) element.remove();
};

/** Removes the line about the next turn while an entry is not scored yet. */
export async function removeUnknownTurn() {
  const address = matchAddress(location);
  if (!address || "snapshotVersion" in document.documentElement.dataset) return;
  const entries = await unsentEntries(address);
  if (entries.some(({ kind }) => SCORING_KINDS.has(kind))) removeTurn();
}

/** Returns the number of the last hand, or Infinity for a match without a fixed number of hands.
 * @param {HTMLElement} element the form or link of the next hand */
const lastHandNumber = ({ dataset: { lastNumber } }) => Number(lastNumber) || Infinity;

/** Adds hands that are only on this phone to the sheet, without scores, and updates the link to the next hand. */
export async function showPendingHands() {
  const table = find(document, "table.sheet tbody");
  const writes = find(document, "[data-new-hand-link]");
  const address = document.getElementById("sheet")?.dataset.address;
  if (!table || !writes || !address || "snapshotVersion" in document.documentElement.dataset) return;
  const hands = (await queuedEntries(address)).filter(isNewHand);
  const words = document.getElementById("queue-status")?.dataset.unscoredHandText ?? "";
  for (const { number = 0 } of hands) {
    if (!find(table, `[data-hand="${number}"]`)) table.append(pendingRow(number, words));
  }
  const shownNumber = Number(writes.textContent.match(/\d+/)?.[0]);
  const next = firstMissingNumber(shownNumber, await knownHandNumbers(address));
  if (!hands.length || next === shownNumber) return;
  const areAllEntered = next > lastHandNumber(writes);
  writes.hidden = areAllEntered;
  findRequired(document, "[data-all-entered]").hidden = !areAllEntered;
  writes.textContent = writes.textContent.replace(String(shownNumber), String(next));
}

/** @param {number} number @param {string} words */
function pendingRow(number, words) {
  const mark = createElement("small");
  mark.dataset.badge = "unsent";
  const head = createElement("th", { scope: "row" }, `${number} `, mark);
  const row = createElement("tr", { className: "finding" }, head, createElement("td", { colSpan: 8 }, words));
  row.dataset.hand = String(number);
  return row;
}

/** Sets the number of the form to the first hand that was not entered; opens the sheet if there is none. A refused
 * hand counts as not entered. Returns whether all hands are entered. */
export async function updateHandNumber() {
  const form = findForm('form[data-entry-kind="enter"]');
  // A page that this phone drew has the right number; so has a comparison of two versions.
  if (!form || "snapshotVersion" in document.documentElement.dataset || find(form, "[formaction]")) return false;
  const entered = await knownHandNumbers(form.dataset.address ?? "");
  const shownNumber = Number(form.dataset.number);
  const next = firstMissingNumber(shownNumber, entered);
  if (form.dataset.repairKey) return false;
  if (next > lastHandNumber(form)) {
    await openPage(`/m/${form.dataset.address}/`);
    return true;
  }
  if (form.dataset.carriedKeys) {
    const { matches: [held], entries } = await readSnapshot(form.dataset.address ?? "");
    carryOver(form, next - 1, held, /** @type {QueuedEntry[]} */ (entries));
  }
  if (next === shownNumber) {
    if (form.dataset.carriedKeys) form.dispatchEvent(new Event("tricky:next-hand"));
    return false;
  }
  removeTurn();
  form.dataset.number = String(next);
  /** @type {HTMLInputElement} */ (findRequired(form, "[name=number]")).value = String(next);
  for (const element of findAll(document, "h1, form .primary")) {
    element.textContent = element.textContent.replace(String(shownNumber), String(next));
  }
  document.title = document.title.replace(String(shownNumber), String(next));
  form.dispatchEvent(new Event("tricky:next-hand"));
  return false;
}

/** Returns a page without the partial hand that it had when it was cached.
 * @param {string} text */
function clearEnteredHand(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const form = find(page, 'form[data-entry-kind="enter"]');
  if (!form || !find(form, "[data-contract-fields], [data-partial-hand], [name=played]")) return text;
  for (const input of findAll(form, "[data-pad], [name=bids], [name=played]")) input.removeAttribute("value");
  for (const choice of findAll(form, "[checked]")) choice.removeAttribute("checked");
  return page.documentElement.outerHTML;
}

/* The next hand can be entered before the last one is scored. */

/** Returns the state of an entry, which another tab may have sent.
 * @param {Entry} entry */
export async function findOutcome({ address, key }) {
  const queued = (await queuedEntries(address)).find((entry) => entry.key === key);
  return queued ? queued.state : "saved";
}

/** Shows the empty form of the next hand while the local server has not started.
 * @param {HTMLFormElement} form @param {Entry} entry
 * @param {(entry: Entry) => void} offerUndo */
export async function openNextUnscored(form, entry, offerUndo) {
  if (entry.kind !== "enter") return announceOutbox();
  forgetEntry(form);
  const page = await window.caches?.match(toUrl(location.pathname), { ignoreVary: true });
  if (page) drawPage({ url: currentUrl(), text: clearEnteredHand(await page.text()) }, { addToHistory: false });
  else {
    form.reset();
    await updateHandNumber();
    form.dispatchEvent(new Event("input", { bubbles: true }));
  }
  announceOutbox();
  reloadWhenScored(entry, offerUndo);
}

/** Reloads the form once the last hand is saved or scored, because it may have ended the match; unless the next hand
 * was begun by then.
 * @param {Entry} entry @param {(entry: Entry) => void} offerUndo */
function reloadWhenScored(entry, offerUndo) {
  const form = findForm('form[data-entry-kind="enter"]');
  const abort = new AbortController();
  const { signal } = abort;
  for (const action of ["pointerdown", "keydown"]) form?.addEventListener(action, () => abort.abort(), { signal });
  const checkOutcome = async () => {
    const isSaved = (await findOutcome(entry)) === "saved";
    if (signal.aborted || !(isSaved || local.isReady)) return;
    abort.abort();
    if (form?.isConnected && (await openPage(currentUrl(), { onlyIfIdle: true })) && isSaved) offerUndo(entry);
  };
  listen("tricky:outbox tricky:ready", checkOutcome, { signal });
}
