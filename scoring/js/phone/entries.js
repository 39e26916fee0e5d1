/* What was entered, as this phone keeps it and the server reads it. */

import { newAddress, newKey, phoneName } from "../keys.js";
import { bodyOf } from "./record.js";

/** Returns a new entry of a match.
 * @param {string} kind @param {string} address @returns {Entry} */
export const newEntry = (kind, address) => ({
  format: "trick-entry",
  version: 1,
  key: newKey(),
  kind,
  address,
  phone: phoneName(),
  entered_at: new Date().toISOString(),
});

/** Returns what a form says, a list where a field is there several times; of its buttons, the one that was
 * tapped: older browsers know nothing of that.
 * @param {HTMLFormElement} form @param {HTMLElement & { name?: string, value?: string } | null} [submitter] */
export function fieldsOf(form, submitter) {
  const fields = new Map();
  for (const [name, value] of new FormData(form)) {
    fields.set(name, fields.has(name) ? [fields.get(name), value].flat() : value);
  }
  if (submitter?.name) fields.set(submitter.name, submitter.value ?? "");
  return /** @type {Fields} */ (Object.fromEntries(fields));
}

/** Returns the head of a record: the match as it begins.
 * @param {Fields} body */
export const headOf = (body) => ({ format: "trick-record", version: 1, options: {}, players: [], ...body, hands: [] });

/** Returns the head that starts the same match again, each a seat further where that is wanted.
 * @param {{ players: string[] } & Fields} start @param {boolean} isRotated */
export function rematchOf({ players, ...rest }, isRotated) {
  return headOf({ ...rest, players: isRotated ? [...players.slice(1), players[0]] : players });
}

/** Returns what a form enters.
 * @param {HTMLFormElement} form @param {Fields} fields @param {HTMLElement | null} [submitter] */
function enteredBy(form, fields, submitter) {
  const { body, start, keep } = form.dataset;
  if (body) return JSON.parse(body);
  if (start) return rematchOf(JSON.parse(start), fields.rotate === "1");
  return keep === "start" ? headOf(bodyOf(form, submitter)) : bodyOf(form, submitter);
}

/** As what a form was kept that is still on the screen: a second tap says nothing new.
 * @type {WeakMap<HTMLFormElement, Entry>} */
const keptAs = new WeakMap();

/** @param {HTMLFormElement} form @param {Entry} entry */
export const noteKept = (form, entry) => keptAs.set(form, entry);

/** The next hand may say the same.
 * @param {HTMLFormElement} form */
export const forgetKept = (form) => keptAs.delete(form);

/* What a form says beside the hand: at which hand, on which version, why. */
/** @param {Entry} entry @param {HTMLFormElement} form @param {Fields} fields */
function addCircumstances(entry, { dataset: { number, seated } }, { base, reason, instead_of_board: isInsteadOfBoard }) {
  entry.made_by = seated ?? "";
  if (number) entry.number = Number(number);
  const version = document.documentElement.dataset.held ?? base;
  if (version) entry.base = Number(version);
  if (reason) entry.reason = reason;
  if (isInsteadOfBoard) entry.instead_of_board = true;
}

/** Returns the entry that a form makes: the one that it was kept as, where it says the same.
 * @param {HTMLFormElement} form @param {Fields} fields
 * @param {{ submitter?: HTMLElement | null, isContract?: boolean }} [options] */
export function entryOf(form, fields, { submitter, isContract = false } = {}) {
  const kind = isContract ? "contract" : form.dataset.keep ?? "";
  const body = enteredBy(form, fields, submitter);
  const before = keptAs.get(form);
  if (before?.kind === kind && JSON.stringify(before.body) === JSON.stringify(body)) return before;
  const entry = { ...newEntry(kind, form.dataset.address || newAddress()), body };
  addCircumstances(entry, form, fields);
  return entry;
}

const OF_A_HAND = ["replace", "void", "restore", "keep"];

/** Returns the page that shows what an entry came to.
 * @param {Entry} entry @param {string} [search] of this page */
export function destination({ address, kind, key, number, body }, search = "") {
  const match = `/m/${address}/`;
  // What a spy sees is on this phone alone: no other knows the key.
  if (kind === "board" && body?.kind === "spy") return `${match}board/peek/${key}/`;
  if (kind === "board") return `${match}board/${new URLSearchParams(search).has("big") ? "?big=1" : ""}`;
  return OF_A_HAND.includes(kind) ? `${match}hands/${number}/` : match;
}

/** Returns the numbers of the hands that the server has of a match.
 * @param {HeldMatch | undefined} held @returns {number[]} */
export function numbersOnServer(held) {
  /** @type {{ kind: string, hand: number }[]} */
  const log = held?.record.meta.tricky.log ?? [];
  return log.filter(({ kind }) => kind === "enter").map(({ hand }) => hand);
}

/** Returns the first number from the one that a page asks for that was not entered.
 * @param {number} asked @param {Set<number | undefined>} entered */
export function firstMissing(asked, entered) {
  let next = asked;
  while (entered.has(next)) next += 1;
  return next;
}
