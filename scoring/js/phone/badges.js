/* Shows what is saved where, by a badge on each hand and a line above the page; and lets people repair or undo. */

import { createElement, fillText, find, findAll, findRequired, listen } from "../browser.js";
import { newKey } from "../keys.js";
import { signalSaved } from "../signals.js";
import { matchAddress } from "./addresses.js";
import * as local from "./local_server.js";
import * as network from "./network.js";
import { postAndDraw, reloadPage } from "./pages.js";
import { countEntries, findRefusals } from "./queue.js";
import { announceOutbox, queuedEntries, removeEntry, updateEntry } from "./store.js";
import { fetchMatch, sendQueue } from "./sync.js";

async function showBadges() {
  const entries = await queuedEntries();
  const region = document.getElementById("queue-status");
  if (!region) return;
  // The form shows an entry that is just being saved or corrected.
  const isSaving = find(document, "form[data-entry-kind][aria-busy]");
  const refusals = isSaving ? new Map() : findRefusals(entries, network.isAway ? local.findVerdict : null);
  const stateOf = (/** @type {QueuedEntry} */ entry) => entry.state ?? (refusals.has(entry) ? "refused" : "unsent");
  const matchEntries = entries.filter(({ address }) => address === matchAddress(location));
  showHandBadges(new Map(matchEntries.map((entry) => [entry.number, stateOf(entry)])), region.dataset);
  const repairedKey = find(document, "form[data-repair-key]")?.dataset.repairKey;
  const count = countEntries(entries.filter((entry) => !refusals.has(entry)));
  showLines(region, count, [...refusals].filter(([{ key }]) => key !== repairedKey));
}

/** Returns the line about pending entries.
 * @param {number} count @param {DOMStringMap} words */
function pendingLine(count, words) {
  if (!count) return "";
  const unscored = !local.isReady && network.isAway ? ` ${local.cannotRun() ? words.scoresLaterText : words.unscoredText}` : "";
  return fillText(count === 1 ? words.pendingOneText : words.pendingManyText, count) + unscored;
}

/** Shows how many entries are pending, and the refused ones. Only if they changed, so that screen readers are not
 * interrupted and no button moves under a finger.
 * @param {HTMLElement} region @param {number} count @param {[QueuedEntry, Fault[]][]} refusals */
function showLines(region, count, refusals) {
  const words = region.dataset;
  const line = pendingLine(count, words);
  const state = JSON.stringify([line, refusals.map(([{ key }, faults]) => [key, faults])]);
  if (state === words.shownState) return;
  words.shownState = state;
  region.replaceChildren(...(line ? [createElement("p", {}, line)] : []), ...refusals.map(([entry, faults]) => refusalLine(entry, faults, words)));
}

/** Marks each hand: with nothing if it is saved, a cloud if it is only on this phone.
 * @param {Map<number | undefined, string>} states by the number of the hand @param {DOMStringMap} words */
function showHandBadges(states, words) {
  const cloud = /** @type {HTMLTemplateElement | null} */ (find(document, "template[data-unsent-icon]"));
  for (const row of findAll(document, "tr[data-hand]")) {
    const state = states.get(Number(row.dataset.hand)) ?? "saved";
    const place = findRequired(row, "[data-badge]");
    place.dataset.badge = state;
    place.title = words[`badge${state[0].toUpperCase()}${state.slice(1)}`] ?? "";
    const icon = state === "unsent" && cloud ? cloud.content.cloneNode(true) : state === "saved" ? "" : "!";
    const sign = createElement("span", {}, icon);
    sign.setAttribute("aria-hidden", "true");
    place.replaceChildren(sign, createElement("span", { className: "visually-hidden" }, place.title));
  }
}

/** Returns a refused entry with its faults and buttons: correct, try again, discard.
 * @param {QueuedEntry} entry @param {Fault[]} faults @param {DOMStringMap} words */
function refusalLine(entry, faults, words) {
  const title = entry.number ? fillText(words.refusedHandText, entry.number) : words.refusedEntryText;
  const line = createElement("p", { className: "refusal" }, [title, ...faults.map(({ message }) => message), ""].join(" "));
  if (entry.address !== matchAddress(location)) line.append(createElement("a", { href: `/m/${entry.address}/` }, words.matchLabel ?? ""));
  if (isRepairable(entry, faults)) line.append(createButton(words.repairLabel, () => openRepairForm(entry)));
  if (entry.state) line.append(createButton(words.retryLabel, () => retryEntry(entry)));
  line.append(createButton(words.discardLabel, () => discardEntry(entry, words)));
  return line;
}

/** @param {string | undefined} words @param {() => Promise<unknown>} action */
const createButton = (words = "", action) =>
  createElement("button", { type: "button", onclick: () => action().catch(console.warn) }, words);

/** @param {QueuedEntry} entry */
async function retryEntry({ state, faults, ...entry }) {
  await updateEntry(entry);
  await sendQueue();
  await showBadges();
}

/** @param {QueuedEntry} entry @param {DOMStringMap} words */
async function discardEntry({ address, key, number }, words) {
  if (!confirm(number ? fillText(words.discardHandQuestion, number) : words.discardEntryQuestion)) return;
  await removeEntry(key);
  await sendQueue();
  await fetchMatch(address).catch(console.warn);
  // The page may still show the entry.
  announceOutbox();
  await reloadPage({ onlyIfIdle: true });
}

/** Shows badges now, and whenever the queue or the page changes. */
export function startBadges() {
  const show = () => showBadges().catch(console.warn);
  listen("tricky:outbox tricky:drawn tricky:ready htmx:afterSwap", show);
  show();
}

/* A refused entry is corrected in the form that it came from, and stays in its place in the queue. */

/** Makes the form replace a refused entry, by its key, when it is saved.
 * @param {string | undefined} key */
export function repairWithForm(key) {
  if (!key) return;
  document.querySelector("form[data-entry-kind]")?.setAttribute("data-repair-key", key);
  announceOutbox();
}

/** Moves a refused entry from the queue to its form. If there are later entries, it stays in the queue until the form
 * replaces it.
 * @param {Entry} entry @param {() => void} [show] shows the form */
export async function moveToForm({ address, key, entered_at: at }, show) {
  const hasLater = (await queuedEntries(address)).some((entry) => entry.key !== key && entry.entered_at > at);
  if (!hasLater) await removeEntry(key);
  show?.();
  if (hasLater) repairWithForm(key);
  else announceOutbox();
}

/** The forms that correct a refused entry, by its kind. @type {Record<string, (entry: Entry) => string>} */
const REPAIR_FORMS = {
  enter: ({ address }) => `/m/${address}/hands/new/`,
  contract: ({ address }) => `/m/${address}/hands/new/`,
  replace: ({ address, number }) => `/m/${address}/hands/${number}/correct/`,
};

const AFTER_THE_END = "record.finished"; // no correction makes a hand possible after the end

/** Whether a form can correct a refused entry. Only hands before the end, and no void hands.
 * @param {Entry} entry @param {Fault[]} faults */
const isRepairable = ({ kind, body }, faults) =>
  kind in REPAIR_FORMS &&
  Object.keys(body ?? {}).length > 0 &&
  !("counts" in body) &&
  !faults.some(({ clause }) => clause === AFTER_THE_END);

/** Shows a refused entry in its form, with its faults at the fields.
 * @param {Entry} entry */
async function openRepairForm(entry) {
  const { body, number, base = "", note = "" } = entry;
  const fields = { entered: JSON.stringify(body), number, base, note, key: newKey(), check: "1" };
  if (await postAndDraw(REPAIR_FORMS[entry.kind](entry), fields)) repairWithForm(entry.key);
}

/* A saved hand is highlighted, and one tap undoes it. */

const UNDO_TIME = 10000; // milliseconds

let timer = 0;

/** Shows a message for a while.
 * @param {...(string | Node)} content */
export function showSaved(...content) {
  const region = document.getElementById("save-status");
  region?.replaceChildren(createElement("p", {}, ...content));
  clearTimeout(timer);
  timer = window.setTimeout(() => region?.replaceChildren(), UNDO_TIME);
}

/** Shows for a while that a hand was saved, voided or restored, with a button that undoes it.
 * @param {number} number @param {string} kind of the last entry
 * @param {(kind: "void" | "restore") => Promise<unknown>} change voids or restores the hand */
function showUndoLine(number, kind, change) {
  const { voidLabel = "", restoreLabel = "", [`${kind}Text`]: content = "" } = document.getElementById("save-status")?.dataset ?? {};
  const [back, words] = kind === "void" ? /** @type {const} */ (["restore", restoreLabel]) : /** @type {const} */ (["void", voidLabel]);
  const button = createButton(words, () => {
    button.disabled = true;
    return change(back).then(() => showUndoLine(number, back, change));
  });
  showSaved(fillText(content, number), button);
}

/** Highlights a saved hand on the sheet, and offers for a while to undo it.
 * @param {number} number @param {(kind: "void" | "restore") => Promise<unknown>} change */
export function showUndo(number, change) {
  const row = document.querySelector(`#sheet tr[data-hand="${number}"]`);
  row?.classList.add("is-new");
  signalSaved();
  row?.scrollIntoView({ block: "nearest" });
  showUndoLine(number, "enter", change);
}
