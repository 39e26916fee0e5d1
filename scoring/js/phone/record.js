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
const OF_PEOPLE = "players";

/** Names under which every object has something that it shares with all others: no hand has anything there. */
const SHARED = new Set(["__proto__", "constructor", "prototype"]);

/** @param {unknown} value @returns {value is Part} */
const isPart = (value) => typeof value === "object" && value !== null;
/** @param {string} text */
const wordsOf = (text) => text.split(/\s+/).filter(Boolean);

/** Digits are a number; any other text stays text, for the rules to refuse.
 * @param {string} text */
function numberOrText(text) {
  const number = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(number) ? number : text;
}

/** @param {string} text */
function fromJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Each a seat and what it called: `0:90 1:pass`.
 * @param {string} text */
const bidsOf = (text) =>
  wordsOf(text).map((bid) => {
    const [seat, ...call] = bid.split(":");
    return [numberOrText(seat), numberOrText(call.join(":"))];
  });

/** How many of each kind: `bomb 1, evil eye 4`.
 * @param {string} text */
function countsOf(text) {
  const parts = text.split(/[,;\n]/).map((part) => part.trim()).filter(Boolean);
  const counts = parts.map((part) => part.match(/^(\D*\S)\s+(\d+)$/));
  if (!counts.every((count) => count !== null)) return text;
  return Object.fromEntries(counts.map(([, kind, count]) => [kind.toLowerCase().replace(/\s+/g, "_"), Number(count)]));
}

/** How a value is read. @type {Record<string, (text: string) => unknown>} */
const READ = {
  number: numberOrText,
  text: (text) => text,
  joined: (text) => text,
  json: fromJson,
  words: wordsOf,
  bids: bidsOf,
  counts: countsOf,
  cell: (text) => text.split(",").map((part) => numberOrText(part.trim())),
};

/** Returns what a control says.
 * @param {Control} control */
const valueOf = ({ as = "number", value, json }) => (json === undefined ? (READ[as] ?? READ.text)(value.trim()) : fromJson(json));

/** Returns the steps of a path: names, and places in lists. `points[2]` has two.
 * @param {string} path @returns {(string | number)[]} */
export const stepsOf = (path) => (path.match(/[^.[\]]+/g) ?? []).map(numberOrText);

/** Puts a value at a path; what has to be there on the way is made, lists for all seats. Objects are merged
 * with what is there.
 * @param {Part} record @param {(string | number)[]} steps @param {unknown} value @param {number} seats */
function put(record, steps, value, seats) {
  if (steps.some((step) => SHARED.has(String(step)))) return;
  let part = record;
  steps.slice(0, -1).forEach((step, index) => {
    part[step] ??= typeof steps[index + 1] === "number" ? Array(seats).fill(null) : {};
    part = part[step];
  });
  const last = steps.at(-1);
  if (last === undefined) Object.assign(record, value);
  else if (isPart(part[last]) && isPart(value) && !Array.isArray(value)) Object.assign(part[last], value);
  else part[last] = value;
}

/** Fills the holes of a list, and of those within it, with null.
 * @param {any} value @returns {any} */
function withoutHoles(value) {
  if (Array.isArray(value)) return Array.from(value, (item) => withoutHoles(item ?? null));
  if (!isPart(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutHoles(part)]));
}

/** Returns what controls say as the body of a record, which begins with what is blank.
 * @param {Control[]} controls in the order of the form @param {Part} [blank] @param {number} [seats] @returns {Part} */
export function recordOf(controls, blank = {}, seats = 0) {
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
    put(record, stepsOf(path), as === "joined" ? parts.join("") : valueOf(control), seats);
  }
  if (OF_PEOPLE in record) record[OF_PEOPLE] = record[OF_PEOPLE].filter((/** @type {unknown} */ name) => name);
  return withoutHoles(record);
}

/** Whether a control says something: nothing is said by one that is off, or by a button that was not tapped.
 * @param {HTMLInputElement} control @param {HTMLElement | null} [submitter] */
function isSet(control, submitter) {
  if (control.matches(":disabled")) return false;
  if (control.type === "radio" || control.type === "checkbox") return control.checked;
  const isButton = control.type === "submit" || control.type === "button" || control.type === "image";
  return !isButton || /** @type {HTMLElement} */ (control) === submitter;
}

/** @param {HTMLInputElement} control @returns {Control} */
const controlOf = ({ value, dataset: { path = "", as, json, part, usual, alone } }) => ({
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
export function bodyOf(form, submitter) {
  const { blank = "{}", seats = "0" } = form.dataset;
  const controls = /** @type {HTMLInputElement[]} */ ([...form.elements]);
  const filled = controls.filter((control) => control.dataset.path !== undefined && isSet(control, submitter));
  return recordOf(filled.map(controlOf), JSON.parse(blank), Number(seats));
}
