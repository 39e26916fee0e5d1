/* What stays from hand to hand, as the treats that somebody holds: in the form of the next hand it is as it was
   after the last one that this phone knows. `data-carried` names these parts of a record. */

const SAYS_A_HAND = ["enter", "replace"];

/** Returns the names of a path: `treats[2].spy` has three.
 * @param {string} path @returns {string[]} */
const namesIn = (path) => path.match(/[^.[\]]+/g) ?? [];

/** Returns what a record says at a path; undefined where it says nothing there.
 * @param {unknown} record @param {string} path @returns {unknown} */
const valueAt = (record, path) =>
  namesIn(path).reduce((/** @type {any} */ part, name) => (part && Object.hasOwn(part, name) ? part[name] : undefined), record);

/** Returns a hand as this phone knows it was said last, on the server or here; undefined for none. What was
 * refused says nothing.
 * @param {number} number @param {HeldMatch | undefined} held @param {QueuedEntry[]} entries of its match
 * @returns {Fields | undefined} */
export function lastSaid(number, held, entries) {
  /** @type {{ kind: string, hand: number, body: Fields }[]} */
  const log = held?.record.meta.tricky.log ?? [];
  const onPhone = entries.filter(({ state }) => !state).map(({ kind, number: hand, body }) => ({ kind, hand, body }));
  return [...log, ...onPhone].findLast(({ kind, hand }) => hand === number && SAYS_A_HAND.includes(kind))?.body;
}

/** Fills in what stays as it was after the last hand, where the page cannot know that one and nobody has
 * changed it.
 * @param {HTMLFormElement} form @param {number} last
 * @param {HeldMatch | undefined} held @param {QueuedEntry[]} entries of its match */
export function carryOver(form, last, held, entries) {
  const { carried = "", number } = form.dataset;
  const isNews = last >= Number(number) || entries.some((entry) => entry.number === last);
  const said = isNews ? lastSaid(last, held, entries) : undefined;
  /** @type {HTMLInputElement[]} */
  const inputs = said ? [...form.querySelectorAll(/** @type {"input"} */ ("input[data-path]"))] : [];
  for (const input of inputs) {
    const { path = "", usual = "" } = input.dataset;
    const isCarried = carried.split(" ").includes(namesIn(path)[0]);
    if (isCarried && input.value === input.defaultValue) input.value = input.defaultValue = String(valueAt(said, path) ?? usual);
  }
}
