/* Builds the body of a match record from a form, independent of the names of its fields.

   Attributes of a control: data-path (where in the record), data-format (how its value is read), data-json (its meaning if
   that is not its value), data-part (its place among joined values), data-default (the value that is left out),
   data-exclusive (if set, no other control counts but bids). Attributes of the form: data-empty-record (the initial record, as
   JSON), data-seats (the length of its lists). scoring/games/record_paths.py reads posted forms by the same attributes;
   tests/js/record_cases.json tests both. */

import { splitWords } from "../pieces/pad.js";

/** A filled control.
 * @typedef {{ path: string, format?: string, value: string, json?: string, part?: number, default?: string, exclusive?: boolean }} Control */
/** A part of a record. @typedef {Record<string | number, any>} Part */

/** The only list without empty places. */
const PLAYERS = "players";

/** Names of properties that all objects share; they must not be changed. */
const SHARED_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/** @param {unknown} value @returns {value is Part} */
const isObject = (value) => typeof value === "object" && value !== null;

/** Returns a number for digits; any other text stays text, so that the rules refuse it.
 * @param {string} text */
function parseNumber(text) {
  const number = Number(text);
  return /^-?\d+$/.test(text) && Number.isSafeInteger(number) ? number : text;
}

/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Parses pairs of a seat and its bid: `0:90 1:pass`.
 * @param {string} text */
const parseBids = (text) =>
  splitWords(text).map((bid) => {
    const [seat, ...call] = bid.split(":");
    return [parseNumber(seat), parseNumber(call.join(":"))];
  });

/** Parses counts by kind: `bomb 1, evil eye 4`.
 * @param {string} text */
function parseCounts(text) {
  const parts = text.split(/[,;\n]/).map((part) => part.trim()).filter(Boolean);
  const counts = parts.map((part) => part.match(/^(\D*\S)\s+(\d+)$/));
  if (!counts.every((count) => count !== null)) return text;
  return Object.fromEntries(counts.map(([, kind, count]) => [kind.toLowerCase().replace(/\s+/g, "_"), Number(count)]));
}

/** Parsers by data-format. @type {Record<string, (text: string) => unknown>} */
const READERS = {
  number: parseNumber,
  text: (text) => text,
  joined: (text) => text,
  json: parseJson,
  words: splitWords,
  bids: parseBids,
  counts: parseCounts,
  cell: (text) => text.split(",").map((part) => parseNumber(part.trim())),
};

/** @param {Control} control */
const readValue = ({ format = "number", value, json }) => (json === undefined ? (READERS[format] ?? READERS.text)(value.trim()) : parseJson(json));

/** Returns the steps of a path: names and list indexes. `points[2]` has two.
 * @param {string} path @returns {(string | number)[]} */
export const parsePath = (path) => (path.match(/[^.[\]]+/g) ?? []).map(parseNumber);

/** Sets the value at a path, and creates missing objects and lists along it; lists have a place for each seat. Objects
 * are merged.
 * @param {Part} record @param {(string | number)[]} steps @param {unknown} value @param {number} seats */
function setAtPath(record, steps, value, seats) {
  if (steps.some((step) => SHARED_NAMES.has(String(step)))) return;
  let part = record;
  steps.slice(0, -1).forEach((step, index) => {
    part[step] ??= typeof steps[index + 1] === "number" ? Array(seats).fill(null) : {};
    part = part[step];
  });
  const last = steps.at(-1);
  if (last === undefined) Object.assign(record, value);
  else if (isObject(part[last]) && isObject(value) && !Array.isArray(value)) Object.assign(part[last], value);
  else part[last] = value;
}

/** Fills the holes of lists with null, at all levels.
 * @param {any} value @returns {any} */
function fillHoles(value) {
  if (Array.isArray(value)) return Array.from(value, (item) => fillHoles(item ?? null));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fillHoles(part)]));
}

/** Returns the body of a record, starting with `blank`.
 * @param {Control[]} controls in the order of the form @param {Part} [blank] @param {number} [seats] @returns {Part} */
export function buildRecord(controls, blank = {}, seats = 0) {
  const filled = controls.filter(({ value, json }) => value.trim() !== "" || json !== undefined);
  const isAlone = filled.some(({ exclusive }) => exclusive);
  const counting = isAlone ? filled.filter(({ exclusive, format }) => exclusive || format === "bids") : filled;
  const record = isAlone ? {} : structuredClone(blank);
  /** @type {Map<string, string[]>} */
  const joined = new Map();
  for (const control of counting) {
    const { path, format, value, default: defaultValue, part } = control;
    if (value.trim() === defaultValue) continue;
    const parts = joined.get(path) ?? [];
    if (format === "joined") {
      parts[part ?? parts.length] = value.trim();
      joined.set(path, parts);
    }
    setAtPath(record, parsePath(path), format === "joined" ? parts.join("") : readValue(control), seats);
  }
  if (PLAYERS in record) record[PLAYERS] = record[PLAYERS].filter((/** @type {unknown} */ name) => name);
  return fillHoles(record);
}

/** Whether a control is submitted: not if it is disabled or unchecked, or a button that was not tapped.
 * @param {HTMLInputElement} control @param {HTMLElement | null} [submitter] */
function hasValue(control, submitter) {
  if (control.matches(":disabled")) return false;
  if (control.type === "radio" || control.type === "checkbox") return control.checked;
  const isButton = control.type === "submit" || control.type === "button" || control.type === "image";
  return !isButton || /** @type {HTMLElement} */ (control) === submitter;
}

/** @param {HTMLInputElement} control @returns {Control} */
const toControl = ({ value, dataset: { path = "", format, json, part, default: defaultValue, exclusive } }) => ({
  path,
  format,
  value,
  json,
  part: part === undefined ? undefined : Number(part),
  default: defaultValue,
  exclusive: exclusive !== undefined,
});

/** @param {HTMLFormElement} form @param {HTMLElement | null} [submitter] the button that was tapped */
export function readBody(form, submitter) {
  const { emptyRecord = "{}", seats = "0" } = form.dataset;
  const controls = /** @type {HTMLInputElement[]} */ ([...form.elements]);
  const filled = controls.filter((control) => control.dataset.path !== undefined && hasValue(control, submitter));
  return buildRecord(filled.map(toControl), JSON.parse(emptyRecord), Number(seats));
}

/* Some parts of a record carry over to the next hand, like treats. `data-carried-keys` names them, and the form of the next
   hand starts with their values in the last hand that this phone knows. */

const WITH_BODY = ["enter", "replace"];

/** Returns the value at a path of a record.
 * @param {unknown} record @param {string} path @returns {unknown} */
const readPath = (record, path) =>
  parsePath(path).reduce((/** @type {any} */ part, name) => (part && Object.hasOwn(part, name) ? part[name] : undefined), record);

/** Returns the latest body of a hand, on the server or in the queue, or undefined. Refused entries do not count.
 * @param {number} number @param {HeldMatch | undefined} held @param {QueuedEntry[]} entries of its match
 * @returns {Fields | undefined} */
export function lastBody(number, held, entries) {
  /** @type {{ kind: string, hand: number, body: Fields }[]} */
  const log = held?.record.meta.tricky.log ?? [];
  const onPhone = entries.filter(({ state }) => !state).map(({ kind, number: hand, body }) => ({ kind, hand, body }));
  return [...log, ...onPhone].findLast(({ kind, hand }) => hand === number && WITH_BODY.includes(kind))?.body;
}

/** Fills in values that carry over from the last hand, if the page does not know them and the field was not changed.
 * @param {HTMLFormElement} form @param {number} last
 * @param {HeldMatch | undefined} held @param {QueuedEntry[]} entries of its match */
export function carryOver(form, last, held, entries) {
  const { carriedKeys = "", number } = form.dataset;
  const isNews = last >= Number(number) || entries.some((entry) => entry.number === last);
  const lastHand = isNews ? lastBody(last, held, entries) : undefined;
  /** @type {HTMLInputElement[]} */
  const inputs = lastHand ? [...form.querySelectorAll(/** @type {"input"} */ ("input[data-path]"))] : [];
  for (const input of inputs) {
    const { path = "", default: defaultValue = "" } = input.dataset;
    const isCarried = carriedKeys.split(" ").includes(String(parsePath(path)[0]));
    if (isCarried && input.value === input.defaultValue) input.value = input.defaultValue = String(readPath(lastHand, path) ?? defaultValue);
  }
}
