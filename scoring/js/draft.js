/* What is half entered outlives a reload on this phone, until it is saved, and goes along where a hand is
   entered in another way: bid by bid, by sums or trick by trick. */

import { find, findAll, findInputs, findRequired } from "./dom.js";
import { inputsNamed } from "./entry/steps.js";

/** What a form says, field by field: the values of its choices that were made, or of its inputs.
 * @typedef {Record<string, string[]>} Said */
/** @typedef {{ number: string, begunAt: string, said: Said }} Draft */

/** @param {HTMLFormElement} form */
const placeOf = ({ dataset: { address } }) => `tricky-form:${address}`;

/* Private windows keep no drafts. */
/** @template T @param {() => T} act @returns {T | undefined} */
function orNothing(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/* The fields that somebody fills; what was bid comes along, though nobody sees its field. Pieces have a
   draft of their own. */
/** @param {HTMLFormElement} form */
const fields = (form) => findInputs(form, "input[data-path]:not([data-pieces])");

/** @param {HTMLInputElement} field */
const isChoice = ({ type }) => type === "radio" || type === "checkbox";

/** @param {HTMLFormElement} form @returns {Said} */
function saidBy(form) {
  /** @type {Said} */
  const said = {};
  for (const field of fields(form)) {
    const values = (said[field.name] ??= []);
    if (field.value && (field.checked || !isChoice(field))) values.push(field.value);
  }
  return said;
}

/** @param {HTMLFormElement} form @returns {Draft} */
const draftOf = (form) => ({ number: form.dataset.number ?? "", begunAt: form.dataset.begunAt ?? "", said: saidBy(form) });

/** Forgets what was half entered, as it is being saved.
 * @param {HTMLFormElement} form */
export const dropDraft = (form) => orNothing(() => localStorage.removeItem(placeOf(form)));

/** Returns what is kept of this form's match, of whichever hand.
 * @param {HTMLFormElement} form @returns {Draft | undefined} */
function stored(form) {
  const text = orNothing(() => localStorage.getItem(placeOf(form)));
  return text ? orNothing(() => JSON.parse(text)) : undefined;
}

/** Returns what was half entered of this hand; what somebody began on another phone since then, or bid
 * just now, is told by the page itself.
 * @param {HTMLFormElement} form @returns {Said} */
function keptDraft(form) {
  const draft = stored(form);
  const now = draftOf(form);
  const [bids] = now.said.bids ?? [];
  const isOfThisHand = draft?.number === now.number && draft.begunAt === now.begunAt;
  return isOfThisHand && (!bids || bids === draft.said.bids?.[0]) ? draft.said : {};
}

/** Whether a draft says more than the form, in which nobody who was quicker than this script has set anything.
 * @param {HTMLFormElement} form @param {Said} draft */
function isMore(form, draft) {
  const now = saidBy(form);
  const isSet = (/** @type {HTMLInputElement} */ field) =>
    isChoice(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  if (fields(form).some(isSet)) return false;
  return Object.keys(now).some((name) => name in draft && String(draft[name]) !== String(now[name]));
}

/** @param {HTMLFormElement} form @param {Said} said */
function restore(form, said) {
  for (const [name, values] of Object.entries(said)) {
    for (const [place, field] of inputsNamed(form, name).entries()) {
      if (isChoice(field)) field.checked = values.includes(field.value);
      else field.value = values[place] ?? "";
      if (field.value && values.length) field.closest("details")?.setAttribute("open", "");
    }
  }
}

/* The other ways of entering the hand begin with the auction that was heard. */
/** @param {string} bids */
function carryBids(bids) {
  if (!bids) return;
  for (const way of /** @type {HTMLAnchorElement[]} */ (findAll(document, "a[data-carries]"))) {
    way.search = String(new URLSearchParams({ bids }));
  }
}

/* What is half entered in one form: brought back, kept, forgotten. */
class HalfEntered {
  /** `refresh` is called once fields have changed by themselves.
   * @param {HTMLFormElement} form @param {() => void} refresh */
  constructor(form, refresh) {
    this.form = form;
    this.refresh = refresh;
    this.line = find(form, "[data-restored]");
    this.initial = saidBy(form);
    this.draft = keptDraft(form);
  }

  changed() {
    this.refresh();
    const announce = () => fields(this.form)[0]?.dispatchEvent(new Event("input", { bubbles: true }));
    // Nobody hears of a draft before the page is whole.
    if (document.readyState === "complete") announce();
    else addEventListener("load", announce, { once: true });
  }

  bringBack() {
    // What was refused is on the page.
    if (find(this.form, ".refusal") || !isMore(this.form, this.draft)) return;
    restore(this.form, this.draft);
    if (this.line) this.line.hidden = false;
    this.changed();
  }

  keep() {
    const now = draftOf(this.form);
    // What the other ways ask for stays as it was.
    const said = { ...this.draft, ...now.said };
    orNothing(() => localStorage.setItem(placeOf(this.form), JSON.stringify({ ...now, said })));
    carryBids(now.said.bids?.[0] ?? "");
  }

  forget() {
    this.draft = {};
    dropDraft(this.form);
  }

  startOver() {
    restore(this.form, this.initial);
    if (this.line) this.line.hidden = true;
    this.changed();
    this.forget();
    const first = findRequired(this.form, "[data-step], [data-pad]");
    first.focus();
    first.click();
  }

  /* The page may have been drawn for an earlier hand, and says another now. */
  countedOn() {
    if (this.line?.hidden !== false) this.initial = saidBy(this.form);
    this.refresh();
    this.draft = keptDraft(this.form);
    this.bringBack();
  }
}

/** Brings back what was half entered of this hand, and keeps what is entered from now on. `refresh` is
 * called once fields have changed by themselves.
 * @param {HTMLFormElement} form @param {() => void} refresh @param {AbortSignal} signal */
export function startDraft(form, refresh, signal) {
  if (form.dataset.keep !== "enter") return;
  const half = new HalfEntered(form, refresh);
  half.bringBack();
  const { bids: [bids = ""] = [] } = saidBy(form);
  // A refused hand is half entered again. A page that was drawn for an earlier hand may still count on to
  // the one that is kept.
  if (bids || find(form, ".refusal") || stored(form)?.number === form.dataset.number) half.keep();
  else carryBids(bids);
  if (half.line) findRequired(half.line, "button").addEventListener("click", () => half.startOver());
  form.addEventListener("countedon", () => half.countedOn(), { signal });
  form.addEventListener("input", () => half.keep(), { signal });
  // Who leaves before that finds it again.
  form.addEventListener("tricky:kept", () => half.forget(), { signal });
}
