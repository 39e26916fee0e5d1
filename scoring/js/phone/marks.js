/* Says truthfully what is saved where: a mark at each hand, a line above the page. */

import { all, find, need } from "../dom.js";
import { addressOf } from "./addresses.js";
import { change, releaseKey, waiting } from "./kept.js";
import * as local from "./local.js";
import { isMendable, mend } from "./mending.js";
import * as network from "./network.js";
import { drain } from "./outbox.js";
import { goAnew } from "./pages.js";
import { cannotRun } from "./readiness.js";
import { refusalsIn } from "./refusals.js";

/** @param {string | undefined} words @param {number} number */
const say = (words, number) => (words ?? "").replace("%s", String(number));

const verdictOn = (/** @type {Entry} */ entry) => (network.away ? local.verdictOn(entry) : null);

async function mark() {
  const entries = await waiting();
  const region = document.getElementById("kept");
  if (!region) return;
  // What is being saved or corrected just now is the form's to show.
  const isSaving = find(document, "form[data-keep][aria-busy]");
  const refusals = isSaving ? new Map() : refusalsIn(entries, verdictOn);
  const stateOf = (/** @type {QueuedEntry} */ entry) => entry.state ?? (refusals.has(entry) ? "refused" : "kept");
  const here = entries.filter(({ address }) => address === addressOf(location));
  markHands(new Map(here.map((entry) => [entry.number, stateOf(entry)])), region.dataset);
  const mended = find(document, "form[data-mends]")?.dataset.mends;
  const count = countOf(entries.filter((entry) => !refusals.has(entry)));
  writeLines(region, count, [...refusals].filter(([{ key }]) => key !== mended));
}

/** Counts entries as whoever made them does: a hand as far as it was played and then complete is one.
 * @param {Entry[]} entries */
const countOf = (entries) => new Set(entries.map((entry) => (entry.number ? entry.address + entry.number : entry.key))).size;

/** Returns what is said of the entries that are on their way.
 * @param {number} count @param {DOMStringMap} words */
function lineOf(count, words) {
  if (!count) return "";
  const unscored = !local.ready && network.away ? ` ${cannotRun() ? words.scoredLater : words.unscored}` : "";
  return say(count === 1 ? words.one : words.many, count) + unscored;
}

/** Says how many entries are on their way, and what was refused; once, for whoever hears it, or is about
 * to tap on it, is not to be disturbed.
 * @param {HTMLElement} region @param {number} count @param {[QueuedEntry, Fault[]][]} refusals */
function writeLines(region, count, refusals) {
  const words = region.dataset;
  const line = lineOf(count, words);
  const news = JSON.stringify([line, refusals.map(([{ key }, faults]) => [key, faults])]);
  if (news === words.told) return;
  words.told = news;
  region.replaceChildren(...(line ? [made("p", line)] : []), ...refusals.map(([entry, faults]) => refusal(entry, faults, words)));
}

/** Returns an element that says something.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {string} [words] @param {object} [more] */
const made = (tag, words = "", more = {}) => Object.assign(document.createElement(tag), { textContent: words, ...more });

/** What stands at a hand: nothing where all is as it should be, a cloud where it is on this phone alone.
 * @param {string} state */
function signOf(state) {
  const sign = made("span");
  sign.setAttribute("aria-hidden", "true");
  const cloud = /** @type {HTMLTemplateElement | null} */ (find(document, "template[data-cloud]"));
  if (state === "kept" && cloud) sign.append(cloud.content.cloneNode(true));
  else if (state !== "saved") sign.textContent = "!";
  return sign;
}

/** @param {Map<number | undefined, string>} states by the number of the hand @param {DOMStringMap} words */
function markHands(states, words) {
  for (const row of all(document, "tr[data-hand]")) {
    const state = states.get(Number(row.dataset.hand)) ?? "saved";
    const place = need(row, "[data-mark]");
    place.dataset.mark = state;
    place.title = words[`mark${state[0].toUpperCase()}${state.slice(1)}`] ?? "";
    place.replaceChildren(signOf(state), made("span", place.title, { className: "unseen" }));
  }
}

/** Returns what was refused, and the ways out: correct it, try again, or let it go.
 * @param {QueuedEntry} entry @param {Fault[]} faults @param {DOMStringMap} words */
function refusal(entry, faults, words) {
  const title = entry.number ? say(words.refused, entry.number) : words.refusedOther;
  const line = made("p", [title, ...faults.map(({ message }) => message), ""].join(" "), { className: "refusal" });
  if (entry.address !== addressOf(location)) line.append(made("a", words.itsMatch, { href: `/m/${entry.address}/` }));
  if (isMendable(entry, faults)) line.append(button(words.mend, () => mend(entry)));
  if (entry.state) line.append(button(words.again, () => sendAgain(entry)));
  line.append(button(words.discard, () => discard(entry, words)));
  return line;
}

/** @param {string | undefined} words @param {() => Promise<unknown>} act */
const button = (words, act) =>
  made("button", words, { type: "button", onclick: () => act().catch(console.warn) });

/** @param {QueuedEntry} entry */
async function sendAgain({ state, faults, ...entry }) {
  await change(entry);
  await drain();
  await mark();
}

/** @param {QueuedEntry} entry @param {DOMStringMap} words */
async function discard({ key, number }, words) {
  if (!confirm(number ? say(words.sure, number) : words.sureOther)) return;
  await releaseKey(key);
  await drain();
  // What the page shows may be of this phone alone: it is asked for anew.
  document.dispatchEvent(new CustomEvent("tricky:outbox"));
  await goAnew({ yields: true });
}

/** Marks what this phone keeps, and whenever that or the page changes. */
export function startMarks() {
  const show = () => mark().catch(console.warn);
  for (const changed of ["tricky:outbox", "tricky:drawn", "tricky:ready", "htmx:afterSwap"]) document.addEventListener(changed, show);
  show();
}
