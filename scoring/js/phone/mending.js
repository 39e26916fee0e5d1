/* What was refused is corrected in the form that it came from, and takes its own place. */

import { newKey } from "../keys.js";
import { releaseKey, waiting } from "./kept.js";
import { tell } from "./outbox.js";
import { post } from "./pages.js";

/** Lets the form that is shown take the place of a refused entry, and tell of it alone.
 * @param {string | undefined} key */
export function mendWithForm(key) {
  if (!key) return;
  document.querySelector("form[data-keep]")?.setAttribute("data-mends", key);
  tell();
}

/** Lets an entry go after which nothing came; returns whether it did.
 * @param {Entry} entry */
async function letGoAlone({ address, key, entered_at: at }) {
  const after = (await waiting(address)).filter((entry) => entry.key !== key && entry.entered_at > at);
  if (!after.length) await releaseKey(key);
  return !after.length;
}

/** A form shows the entry that was refused: it is let go where nothing came after it; else what is
 * saved next takes its place.
 * @param {Entry} entry @param {() => void} [show] shows the form, once it is known which */
export async function takeBack(entry, show) {
  const isAlone = await letGoAlone(entry);
  show?.();
  if (isAlone) tell();
  else mendWithForm(entry.key);
}

/** Where what was refused can be corrected. @type {Record<string, (entry: Entry) => string>} */
const FORMS = {
  enter: ({ address }) => `/m/${address}/hands/new/`,
  contract: ({ address }) => `/m/${address}/hands/new/`,
  replace: ({ address, number }) => `/m/${address}/hands/${number}/correct/`,
};

const AFTER_THE_END = "record.finished"; // the clause of which no other number makes a hand possible

/** Whether a form can make good what was refused: a hand, and not whether one counts, nor one after the end.
 * @param {Entry} entry @param {Fault[]} faults */
export const isMendable = ({ kind, body }, faults) =>
  kind in FORMS &&
  Object.keys(body ?? {}).length > 0 &&
  !("counts" in body) &&
  !faults.some(({ clause }) => clause === AFTER_THE_END);

/** Shows a refused entry in its form, with the reasons beside the fields.
 * @param {Entry} entry */
export async function mend(entry) {
  const { body, number, base = "" } = entry;
  const fields = { entered: JSON.stringify(body), number, base, key: newKey(), check: "1" };
  if (await post(FORMS[entry.kind](entry), fields)) mendWithForm(entry.key);
}
