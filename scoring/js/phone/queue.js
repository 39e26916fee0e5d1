/* Creates entries, and decides which of them may be sent. */

import { newAddress, newKey, phoneName } from "../keys.js";
import { readBody } from "./record.js";

/** Returns a new entry of a match.
 * @param {string} kind @param {string} address @returns {Entry} */
export const createEntry = (kind, address) => ({
  format: "trick-entry",
  version: 1,
  key: newKey(),
  kind,
  address,
  phone: phoneName(),
  entered_at: new Date().toISOString(),
});

/** Counts entries. Partial and complete versions of a hand count as one; taking over as scorer does not count.
 * @param {Entry[]} entries */
export const countEntries = (entries) =>
  new Set(entries.filter(({ kind }) => kind !== "pen").map(({ address, number, key }) => (number ? address + number : key))).size;

/** Returns the fields of a form, with a list if a field has several values. Adds the tapped button, because older
 * browsers cannot pass it to FormData.
 * @param {HTMLFormElement} form @param {HTMLElement & { name?: string, value?: string } | null} [submitter] */
export function readFields(form, submitter) {
  const fields = new Map();
  for (const [name, value] of new FormData(form)) {
    fields.set(name, fields.has(name) ? [fields.get(name), value].flat() : value);
  }
  if (submitter?.name) fields.set(submitter.name, submitter.value ?? "");
  return /** @type {Fields} */ (Object.fromEntries(fields));
}

/** Returns the head of a record, without hands.
 * @param {Fields} body */
export const recordHead = (body) => ({ format: "trick-record", version: 1, options: {}, players: [], ...body, hands: [] });

/** Returns the head of a rematch, with rotated seats if wanted.
 * @param {{ players: string[] } & Fields} start @param {boolean} isRotated */
export function rematchHead({ players, ...rest }, isRotated) {
  return recordHead({ ...rest, players: isRotated ? [...players.slice(1), players[0]] : players });
}

/** @param {HTMLFormElement} form @param {Fields} fields @param {HTMLElement | null} [submitter] */
function bodyFromForm(form, fields, submitter) {
  const { body, rematchHead: head, entryKind } = form.dataset;
  if (body) return JSON.parse(body);
  if (head) return rematchHead(JSON.parse(head), fields.rotate === "1");
  return entryKind === "start" ? recordHead(readBody(form, submitter)) : readBody(form, submitter);
}

/** The entry that a form on the screen was saved as, so that a second tap does not save it twice.
 * @type {WeakMap<HTMLFormElement, Entry>} */
const entriesByForm = new WeakMap();

/** @param {HTMLFormElement} form @param {Entry} entry */
export const rememberEntry = (form, entry) => entriesByForm.set(form, entry);

/** The next hand may have the same values.
 * @param {HTMLFormElement} form */
export const forgetEntry = (form) => entriesByForm.delete(form);

/* Adds the number of the hand, the version that it is based on, the reason and the note. */
/** @param {Entry} entry @param {HTMLFormElement} form @param {Fields} fields */
function addCircumstances(entry, { dataset: { number, seatName } }, { base, reason, note, instead_of_board: isInsteadOfBoard }) {
  entry.made_by = seatName ?? "";
  if (number) entry.number = Number(number);
  const version = document.documentElement.dataset.snapshotVersion ?? base;
  if (version) entry.base = Number(version);
  if (reason) entry.reason = reason;
  if (note) entry.note = note;
  if (isInsteadOfBoard) entry.instead_of_board = true;
}

/** Returns the entry of a form; the same one as before if its values have not changed.
 * @param {HTMLFormElement} form @param {Fields} fields
 * @param {{ submitter?: HTMLElement | null, isContract?: boolean }} [options] */
export function entryFromForm(form, fields, { submitter, isContract = false } = {}) {
  const kind = isContract ? "contract" : form.dataset.entryKind ?? "";
  const body = bodyFromForm(form, fields, submitter);
  const before = entriesByForm.get(form);
  if (before?.kind === kind && JSON.stringify([before.body, before.note]) === JSON.stringify([body, fields.note || undefined])) return before;
  const entry = { ...createEntry(kind, form.dataset.address || newAddress()), body };
  addCircumstances(entry, form, fields);
  return entry;
}

const CHANGES_HAND = ["replace", "void", "restore", "keep", "note"];

/** Returns the path of the page that shows the result of an entry.
 * @param {Entry} entry @param {string} [search] of this page */
export function resultPath({ address, kind, key, number, body }, search = "") {
  const match = `/m/${address}/`;
  // Only this phone knows the key of its spy action.
  if (kind === "board" && body?.kind === "spy") return `${match}board/peek/${key}/`;
  if (kind === "board") return `${match}board/${new URLSearchParams(search).has("big") ? "?big=1" : ""}`;
  return CHANGES_HAND.includes(kind) ? `${match}hands/${number}/` : match;
}

/** Returns the numbers of the hands that the server has of a match.
 * @param {HeldMatch | undefined} held @returns {number[]} */
export function serverHandNumbers(held) {
  /** @type {{ kind: string, hand: number }[]} */
  const log = held?.record.meta.tricky.log ?? [];
  return log.filter(({ kind }) => kind === "enter").map(({ hand }) => hand);
}

/** Returns the first number that was not entered.
 * @param {number} firstNumber @param {Set<number | undefined>} entered */
export function firstMissingNumber(firstNumber, entered) {
  let next = firstNumber;
  while (entered.has(next)) next += 1;
  return next;
}

/* Which entries a refused one blocks in its match. */

const HAND_KINDS = ["enter", "contract"];
const MATCH_KINDS = ["start", "board"];
const OTHER_KINDS = ["pen", "seats"];

/** The first missing hand by match, 0 if everything is blocked. @typedef {Map<string, number>} Blockers */

/** Adds what a refused entry blocks. A correction blocks nothing.
 * @param {Blockers} blockers @param {Entry} entry @param {string} state */
export function block(blockers, { address, kind, number = 0 }, state) {
  if (state === "gone" || MATCH_KINDS.includes(kind)) blockers.set(address, 0);
  else if (HAND_KINDS.includes(kind)) blockers.set(address, Math.min(blockers.get(address) ?? Infinity, number));
}

/** Whether an entry may be sent. A hand that replaces the missing one may, and so may entries that do not concern later
 * hands.
 * @param {Blockers} blockers @param {Entry} entry */
export function canSend(blockers, { address, kind, number = 0 }) {
  const first = blockers.get(address) ?? Infinity;
  if (OTHER_KINDS.includes(kind)) return first > 0;
  return first === Infinity || number < first || (kind === "enter" && number === first);
}

const REFUSED = new Set([410, 422]); // statuses of verdicts: closed, impossible

/** Returns the refused entries with their faults: all that the server refused and, with `verdictOn`, the first of each
 * match that the local server refuses. Later entries of that match cannot be judged.
 * @param {QueuedEntry[]} entries
 * @param {((entry: Entry) => Verdict | null) | null} verdictOn @returns {Map<QueuedEntry, Fault[]>} */
export function findRefusals(entries, verdictOn) {
  const refusals = new Map();
  const blockedMatches = new Set();
  for (const entry of entries) {
    const verdict = verdictOn?.(entry);
    const isRefused = verdict && REFUSED.has(verdict.status);
    if (entry.state) refusals.set(entry, entry.faults ?? []);
    else if (isRefused && !verdict.isBehind && !blockedMatches.has(entry.address)) refusals.set(entry, verdict.faults);
    if (entry.state || isRefused) blockedMatches.add(entry.address);
  }
  return refusals;
}
