/* The number that a new hand has, the empty form for it, and hands on a sheet that knew them not yet. */

import { all, find, formAt, need } from "../dom.js";
import { addressOf } from "./addresses.js";
import { carryOver } from "./carried.js";
import { firstMissing, numbersOnServer } from "./entries.js";
import { going, known, waiting } from "./kept.js";
import { go } from "./pages.js";

/* The numbers of the hands that this phone knows of, on the server or here. */
/** @param {string} address @returns {Promise<Set<number | undefined>>} */
async function numbersEntered(address) {
  const { matches: [held], entries } = await known(address);
  const onPhone = /** @type {QueuedEntry[]} */ (entries).filter(({ kind, state }) => kind === "enter" && !state);
  return new Set([...numbersOnServer(held), ...onPhone.map(({ number }) => number)]);
}

const SCORED = new Set(["enter", "replace", "void", "restore", "keep"]); // kinds of entries that change scores

/** Removes whose turn the page says it is: another hand was scored by then, or still has to be. */
const removeTurn = () => {
  for (const element of all(document, "[data-next-turn]")) element.remove();
};

/** Removes whose turn it is from a page that was drawn before all that this phone keeps was scored. */
export async function removeUnknownTurn() {
  const address = addressOf(location);
  if (!address || "held" in document.documentElement.dataset) return;
  const entries = await going(address);
  if (entries.some(({ kind }) => SCORED.has(kind))) removeTurn();
}

/** The number of the last hand, where that was agreed.
 * @param {HTMLElement} element that leads to the next one */
const lastOf = ({ dataset: { last } }) => Number(last) || Infinity;

/** A sheet may have been drawn before hands were entered on this phone: they are there, though without
 * their scores, and the way on leads to the next one. */
export async function showKept() {
  const table = find(document, "table.sheet tbody");
  const writes = find(document, "[data-writes]");
  const address = document.getElementById("sheet")?.dataset.address;
  if (!table || !writes || !address || "held" in document.documentElement.dataset) return;
  const hands = (await waiting(address)).filter(({ kind, state }) => kind === "enter" && !state);
  const words = document.getElementById("kept")?.dataset.toScore ?? "";
  for (const { number = 0 } of hands) {
    if (!find(table, `[data-hand="${number}"]`)) table.append(keptRow(number, words));
  }
  const asked = Number(writes.textContent.match(/\d+/)?.[0]);
  const next = firstMissing(asked, await numbersEntered(address));
  if (!hands.length || next === asked) return;
  const isAllIn = next > lastOf(writes);
  writes.hidden = isAllIn;
  need(document, "[data-all-in]").hidden = !isAllIn;
  writes.textContent = writes.textContent.replace(String(asked), String(next));
}

/** @param {number} number @param {string} words */
function keptRow(number, words) {
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

/** A page may have been drawn before hands were entered on this phone: it asks for the first that
 * was not, and leads to the sheet after the last one. A hand that was refused is still to come.
 * Returns whether all are in, so that there is none to ask for. */
export async function countOn() {
  const form = formAt('form[data-keep="enter"]');
  // What this phone drew counts them already; who compares two versions stays with their number.
  if (!form || "held" in document.documentElement.dataset || find(form, "[formaction]")) return false;
  const entered = await numbersEntered(form.dataset.address ?? "");
  const asked = Number(form.dataset.number);
  const next = firstMissing(asked, entered);
  if (form.dataset.mends) return false;
  if (next > lastOf(form)) {
    await go(`/m/${form.dataset.address}/`);
    return true;
  }
  if (form.dataset.carried) await carryOverLast(form, next - 1);
  if (next === asked) {
    if (form.dataset.carried) form.dispatchEvent(new Event("countedon"));
    return false;
  }
  removeTurn();
  form.dataset.number = String(next);
  /** @type {HTMLInputElement} */ (need(form, "[name=number]")).value = String(next);
  for (const element of all(document, "h1, form .primary")) {
    element.textContent = element.textContent.replace(String(asked), String(next));
  }
  document.title = document.title.replace(String(asked), String(next));
  form.dispatchEvent(new Event("countedon"));
  return false;
}

/** @param {HTMLFormElement} form @param {number} last */
async function carryOverLast(form, last) {
  const { matches: [held], entries } = await known(form.dataset.address ?? "");
  carryOver(form, last, held, /** @type {QueuedEntry[]} */ (entries));
}

/** Returns a page that was kept while a hand was begun, which is filled with that hand, as it is empty.
 * @param {string} text */
export function emptied(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const form = find(page, 'form[data-keep="enter"]');
  if (!form || !find(form, "[data-when], [data-begun], [name=played]")) return text;
  for (const input of all(form, "[data-pad], [name=bids], [name=played]")) input.removeAttribute("value");
  for (const choice of all(form, "[checked]")) choice.removeAttribute("checked");
  return page.documentElement.outerHTML;
}
