/* The number of the next hand, its empty form, and hands that the sheet does not show yet. */

import { find, findAll, findForm, findRequired } from "../dom.js";
import { currentUrl, matchAddress, toUrl } from "./addresses.js";
import * as local from "./local_server.js";
import { drawPage, openPage } from "./pages.js";
import { firstMissingNumber, forgetEntry, serverHandNumbers } from "./queue.js";
import { carryOver } from "./record.js";
import { readSnapshot, queuedEntries, unsentEntries } from "./store.js";
import { announceOutbox } from "./sync.js";

/* The numbers of the hands that this phone knows of, on the server or here. */
/** @param {string} address @returns {Promise<Set<number | undefined>>} */
async function knownHandNumbers(address) {
  const { matches: [held], entries } = await readSnapshot(address);
  const onPhone = /** @type {QueuedEntry[]} */ (entries).filter(({ kind, state }) => kind === "enter" && !state);
  return new Set([...serverHandNumbers(held), ...onPhone.map(({ number }) => number)]);
}

const SCORING_KINDS = new Set(["enter", "replace", "void", "restore", "keep"]); // kinds of entries that change scores

/** Removes whose turn it is, because that depends on a hand that the page did not know. */
const removeTurn = () => {
  for (const element of findAll(document, "[data-next-turn]")) element.remove();
};

/** Removes whose turn it is while an entry is not scored yet. */
export async function removeUnknownTurn() {
  const address = matchAddress(location);
  if (!address || "held" in document.documentElement.dataset) return;
  const entries = await unsentEntries(address);
  if (entries.some(({ kind }) => SCORING_KINDS.has(kind))) removeTurn();
}

/** The number of the last hand, where that was agreed.
 * @param {HTMLElement} element that leads to the next one */
const lastHandNumber = ({ dataset: { last } }) => Number(last) || Infinity;

/** Adds hands to the sheet that are only on this phone, without scores, and updates the link to the next one. */
export async function showPendingHands() {
  const table = find(document, "table.sheet tbody");
  const writes = find(document, "[data-writes]");
  const address = document.getElementById("sheet")?.dataset.address;
  if (!table || !writes || !address || "held" in document.documentElement.dataset) return;
  const hands = (await queuedEntries(address)).filter(({ kind, state }) => kind === "enter" && !state);
  const words = document.getElementById("kept")?.dataset.toScore ?? "";
  for (const { number = 0 } of hands) {
    if (!find(table, `[data-hand="${number}"]`)) table.append(pendingRow(number, words));
  }
  const asked = Number(writes.textContent.match(/\d+/)?.[0]);
  const next = firstMissingNumber(asked, await knownHandNumbers(address));
  if (!hands.length || next === asked) return;
  const isAllIn = next > lastHandNumber(writes);
  writes.hidden = isAllIn;
  findRequired(document, "[data-all-in]").hidden = !isAllIn;
  writes.textContent = writes.textContent.replace(String(asked), String(next));
}

/** @param {number} number @param {string} words */
function pendingRow(number, words) {
  const row = document.createElement("tr");
  row.dataset.hand = String(number);
  const head = document.createElement("th");
  head.scope = "row";
  const mark = document.createElement("small");
  mark.dataset.mark = "kept";
  head.append(`${number} `, mark);
  const cell = document.createElement("td");
  cell.colSpan = 8;
  cell.textContent = words;
  row.className = "finding";
  row.append(head, cell);
  return row;
}

/** Lets the form ask for the first hand that was not entered, if the page was drawn before; opens the sheet
 * after the last one. A refused hand counts as not entered. Returns whether all hands are in. */
export async function updateHandNumber() {
  const form = findForm('form[data-keep="enter"]');
  // A page that this phone drew counts them already; a comparison of two versions keeps its number.
  if (!form || "held" in document.documentElement.dataset || find(form, "[formaction]")) return false;
  const entered = await knownHandNumbers(form.dataset.address ?? "");
  const asked = Number(form.dataset.number);
  const next = firstMissingNumber(asked, entered);
  if (form.dataset.mends) return false;
  if (next > lastHandNumber(form)) {
    await openPage(`/m/${form.dataset.address}/`);
    return true;
  }
  if (form.dataset.carried) await carryOverFrom(form, next - 1);
  if (next === asked) {
    if (form.dataset.carried) form.dispatchEvent(new Event("tricky:next-hand"));
    return false;
  }
  removeTurn();
  form.dataset.number = String(next);
  /** @type {HTMLInputElement} */ (findRequired(form, "[name=number]")).value = String(next);
  for (const element of findAll(document, "h1, form .primary")) {
    element.textContent = element.textContent.replace(String(asked), String(next));
  }
  document.title = document.title.replace(String(asked), String(next));
  form.dispatchEvent(new Event("tricky:next-hand"));
  return false;
}

/** @param {HTMLFormElement} form @param {number} last */
async function carryOverFrom(form, last) {
  const { matches: [held], entries } = await readSnapshot(form.dataset.address ?? "");
  carryOver(form, last, held, /** @type {QueuedEntry[]} */ (entries));
}

/** Returns a page without the hand that was begun when it was cached.
 * @param {string} text */
function withoutEntered(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const form = find(page, 'form[data-keep="enter"]');
  if (!form || !find(form, "[data-when], [data-begun], [name=played]")) return text;
  for (const input of findAll(form, "[data-pad], [name=bids], [name=played]")) input.removeAttribute("value");
  for (const choice of findAll(form, "[checked]")) choice.removeAttribute("checked");
  return page.documentElement.outerHTML;
}

/* Hands that nothing can score yet: the next one can be entered all the same. */

/** Returns the state of an entry; another tab may have sent it.
 * @param {Entry} entry */
export async function findOutcome({ address, key }) {
  const still = (await queuedEntries(address)).find((entry) => entry.key === key);
  return still ? still.state : "saved";
}

/** Shows the empty form of the next hand, because the rules have not started yet.
 * @param {HTMLFormElement} form @param {Entry} entry
 * @param {(entry: Entry) => void} onceSaved offers to undo */
export async function openNextUnscored(form, entry, onceSaved) {
  if (entry.kind !== "enter") return announceOutbox();
  forgetEntry(form);
  const page = await window.caches?.match(toUrl(location.pathname), { ignoreVary: true });
  if (page) drawPage({ url: currentUrl(), text: withoutEntered(await page.text()) }, { remember: false });
  else {
    form.reset();
    await updateHandNumber();
    form.dispatchEvent(new Event("input", { bubbles: true }));
  }
  announceOutbox();
  reloadWhenScored(entry, onceSaved);
}

/** Reloads the form once the hand is saved or scored here, because it may have been the last; unless the
 * next one was begun by then.
 * @param {Entry} entry @param {(entry: Entry) => void} onceSaved */
function reloadWhenScored(entry, onceSaved) {
  const form = findForm('form[data-keep="enter"]');
  const over = new AbortController();
  const { signal } = over;
  for (const action of ["pointerdown", "keydown"]) form?.addEventListener(action, () => over.abort(), { signal });
  const see = async () => {
    const isSaved = (await findOutcome(entry)) === "saved";
    if (signal.aborted || !(isSaved || local.isReady)) return;
    over.abort();
    if (form?.isConnected && (await openPage(currentUrl(), { yields: true })) && isSaved) onceSaved(entry);
  };
  for (const news of ["tricky:outbox", "tricky:ready"]) document.addEventListener(news, see, { signal });
}
