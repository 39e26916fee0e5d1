/* What a form shows as the body of a match record, whatever its fields are called.

   Attributes of a control: data-path (where in the record), data-as (how its value is read), data-json (what
   it means, where that is another thing than its value), data-part (its place among those that are joined),
   data-usual (the value that is left out), data-alone (where it is set, nothing else counts but bids). Attributes
   of the form: data-blank (what the record begins with, as JSON), data-seats (how long its lists are).
   scoring/games/record_paths.py reads what is posted by the same attributes; tests/js/record_cases.json holds
   the two to one another. */

/** One control that is filled: where its value belongs, and how that is read.
 * @typedef {{ path: string, as?: string, value: string, json?: string, part?: number, usual?: string, alone?: boolean }} Control */
/** A part of a record. @typedef {Record<string | number, any>} Part */

/** A list that is as long as there are names in it. */
const PLAYERS = "players";

/** Names under which every object has something that it shares with all others: no hand has anything there. */
const SHARED_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/** @param {unknown} value @returns {value is Part} */
const isObject = (value) => typeof value === "object" && value !== null;
/** @param {string} text */
const splitWords = (text) => text.split(/\s+/).filter(Boolean);

/** Digits are a number; any other text stays text, for the rules to refuse.
 * @param {string} text */
function parseNumber(text) {
  const number = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(number) ? number : text;
}

/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Each a seat and what it called: `0:90 1:pass`.
 * @param {string} text */
const parseBids = (text) =>
  splitWords(text).map((bid) => {
    const [seat, ...call] = bid.split(":");
    return [parseNumber(seat), parseNumber(call.join(":"))];
  });

/** How many of each kind: `bomb 1, evil eye 4`.
 * @param {string} text */
function parseCounts(text) {
  const parts = text.split(/[,;\n]/).map((part) => part.trim()).filter(Boolean);
  const counts = parts.map((part) => part.match(/^(\D*\S)\s+(\d+)$/));
  if (!counts.every((count) => count !== null)) return text;
  return Object.fromEntries(counts.map(([, kind, count]) => [kind.toLowerCase().replace(/\s+/g, "_"), Number(count)]));
}

/** How a value is read. @type {Record<string, (text: string) => unknown>} */
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

/** Returns what a control says.
 * @param {Control} control */
const readValue = ({ as = "number", value, json }) => (json === undefined ? (READERS[as] ?? READERS.text)(value.trim()) : parseJson(json));

/** Returns the steps of a path: names, and places in lists. `points[2]` has two.
 * @param {string} path @returns {(string | number)[]} */
export const parsePath = (path) => (path.match(/[^.[\]]+/g) ?? []).map(parseNumber);

/** Puts a value at a path; what has to be there on the way is made, lists for all seats. Objects are merged
 * with what is there.
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

/** Fills the holes of a list, and of those within it, with null.
 * @param {any} value @returns {any} */
function fillHoles(value) {
  if (Array.isArray(value)) return Array.from(value, (item) => fillHoles(item ?? null));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fillHoles(part)]));
}

/** Returns what controls say as the body of a record, which begins with what is blank.
 * @param {Control[]} controls in the order of the form @param {Part} [blank] @param {number} [seats] @returns {Part} */
export function buildRecord(controls, blank = {}, seats = 0) {
  const filled = controls.filter(({ value, json }) => value.trim() !== "" || json !== undefined);
  const isAlone = filled.some(({ alone }) => alone);
  const counting = isAlone ? filled.filter(({ alone, as }) => alone || as === "bids") : filled;
  const record = isAlone ? {} : structuredClone(blank);
  /** @type {Map<string, string[]>} */
  const joined = new Map();
  for (const control of counting) {
    const { path, as, value, usual, part } = control;
    if (value.trim() === usual) continue;
    const parts = joined.get(path) ?? [];
    if (as === "joined") {
      parts[part ?? parts.length] = value.trim();
      joined.set(path, parts);
    }
    setAtPath(record, parsePath(path), as === "joined" ? parts.join("") : readValue(control), seats);
  }
  if (PLAYERS in record) record[PLAYERS] = record[PLAYERS].filter((/** @type {unknown} */ name) => name);
  return fillHoles(record);
}

/** Whether a control says something: nothing is said by one that is off, or by a button that was not tapped.
 * @param {HTMLInputElement} control @param {HTMLElement | null} [submitter] */
function hasValue(control, submitter) {
  if (control.matches(":disabled")) return false;
  if (control.type === "radio" || control.type === "checkbox") return control.checked;
  const isButton = control.type === "submit" || control.type === "button" || control.type === "image";
  return !isButton || /** @type {HTMLElement} */ (control) === submitter;
}

/** @param {HTMLInputElement} control @returns {Control} */
const toControl = ({ value, dataset: { path = "", as, json, part, usual, alone } }) => ({
  path,
  as,
  value,
  json,
  part: part === undefined ? undefined : Number(part),
  usual,
  alone: alone !== undefined,
});

/** Returns what a form shows as the body of a record.
 * @param {HTMLFormElement} form @param {HTMLElement | null} [submitter] the button that was tapped */
export function readBody(form, submitter) {
  const { blank = "{}", seats = "0" } = form.dataset;
  const controls = /** @type {HTMLInputElement[]} */ ([...form.elements]);
  const filled = controls.filter((control) => control.dataset.path !== undefined && hasValue(control, submitter));
  return buildRecord(filled.map(toControl), JSON.parse(blank), Number(seats));
}

/* What carries over from hand to hand, like treats: the form of the next hand begins with what this phone knows of the
   last one. `data-carried` names these parts of a record. */

const WITH_BODY = ["enter", "replace"];

/** Returns the value at a path of a record.
 * @param {unknown} record @param {string} path @returns {unknown} */
const readPath = (record, path) =>
  parsePath(path).reduce((/** @type {any} */ part, name) => (part && Object.hasOwn(part, name) ? part[name] : undefined), record);

/** Returns the latest body of a hand, on the server or in the queue; undefined for none. Refused entries do
 * not count.
 * @param {number} number @param {HeldMatch | undefined} held @param {QueuedEntry[]} entries of its match
 * @returns {Fields | undefined} */
export function lastBody(number, held, entries) {
  /** @type {{ kind: string, hand: number, body: Fields }[]} */
  const log = held?.record.meta.tricky.log ?? [];
  const onPhone = entries.filter(({ state }) => !state).map(({ kind, number: hand, body }) => ({ kind, hand, body }));
  return [...log, ...onPhone].findLast(({ kind, hand }) => hand === number && WITH_BODY.includes(kind))?.body;
}

/** Fills in what carries over from the last hand, if the page does not know it and the field was not changed.
 * @param {HTMLFormElement} form @param {number} last
 * @param {HeldMatch | undefined} held @param {QueuedEntry[]} entries of its match */
export function carryOver(form, last, held, entries) {
  const { carried = "", number } = form.dataset;
  const isNews = last >= Number(number) || entries.some((entry) => entry.number === last);
  const said = isNews ? lastBody(last, held, entries) : undefined;
  /** @type {HTMLInputElement[]} */
  const inputs = said ? [...form.querySelectorAll(/** @type {"input"} */ ("input[data-path]"))] : [];
  for (const input of inputs) {
    const { path = "", usual = "" } = input.dataset;
    const isCarried = carried.split(" ").includes(String(parsePath(path)[0]));
    if (isCarried && input.value === input.defaultValue) input.value = input.defaultValue = String(readPath(said, path) ?? usual);
  }
}
