/* Drafts of hands: a partly filled form survives a reload on this phone until it is saved. It is also restored in the
   other forms for the same hand: bid by bid, by sums, or trick by trick. */

import { find, findAll, findInputs, findRequired, readStorage, writeStorage } from "./browser.js";
import { findNamedInputs } from "./entry/steps.js";

/** The values of inputs and checked choices by field name. @typedef {Record<string, string[]>} FormValues */
/** @typedef {{ number: string, startedAt: string, values: FormValues }} Draft */

/** @param {HTMLFormElement} form */
const storageKey = ({ dataset: { address } }) => `tricky-form:${address}`;

/* The fields of a draft, including the hidden one for bids and the note. Pieces have drafts of their own. */
/** @param {HTMLFormElement} form */
const draftFields = (form) => findInputs(form, "input[data-path]:not([data-pieces]), [name=note]");

/** @param {HTMLInputElement} field */
const isChoice = ({ type }) => type === "radio" || type === "checkbox";

/** @param {HTMLFormElement} form @returns {FormValues} */
function readValues(form) {
  /** @type {FormValues} */
  const values = {};
  for (const field of draftFields(form)) {
    const fieldValues = (values[field.name] ??= []);
    if (field.value && (field.checked || !isChoice(field))) fieldValues.push(field.value);
  }
  return values;
}

/** @param {HTMLFormElement} form @returns {Draft} */
const createDraft = (form) => ({ number: form.dataset.number ?? "", startedAt: form.dataset.pendingVersion ?? "", values: readValues(form) });

/** Returns the draft of this form's match, whichever hand it is of.
 * @param {HTMLFormElement} form @returns {Draft | undefined} */
function readDraft(form) {
  const draft = JSON.parse(readStorage(storageKey(form)) || "null");
  // Releases before 0.2.0 used other keys.
  return draft?.said ? { number: draft.number, startedAt: draft.begunAt, values: draft.said } : draft ?? undefined;
}

/** Returns the draft values of this hand. None if another phone has started the hand since, or if the bids on the page
 * are different: then the page is newer.
 * @param {HTMLFormElement} form @returns {FormValues} */
function findDraftValues(form) {
  const draft = readDraft(form);
  const now = createDraft(form);
  const [bids] = now.values.bids ?? [];
  if (!draft || draft.number !== now.number || draft.startedAt !== now.startedAt) return {};
  return !bids || bids === draft.values.bids?.[0] ? draft.values : {};
}

/** Whether a draft differs from the form. Not if a field was changed before the script was loaded.
 * @param {HTMLFormElement} form @param {FormValues} draft */
function addsToForm(form, draft) {
  const now = readValues(form);
  const isSet = (/** @type {HTMLInputElement} */ field) =>
    isChoice(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  if (draftFields(form).some(isSet)) return false;
  return Object.keys(now).some((name) => name in draft && String(draft[name]) !== String(now[name]));
}

/** @param {HTMLFormElement} form @param {FormValues} formValues */
function fillForm(form, formValues) {
  for (const [name, values] of Object.entries(formValues)) {
    for (const [place, field] of findNamedInputs(form, name).entries()) {
      if (isChoice(field)) field.checked = values.includes(field.value);
      else field.value = values[place] ?? "";
      if (field.value && values.length) field.closest("details")?.setAttribute("open", "");
    }
  }
}

/* The links to the other forms for this hand pass on the bids. */
/** @param {string} bids */
function addBidsToLinks(bids) {
  if (!bids) return;
  for (const link of /** @type {HTMLAnchorElement[]} */ (findAll(document, "a[data-bids-link]"))) {
    link.search = String(new URLSearchParams({ bids }));
  }
}

/* Restores, saves and discards the draft of a form. */
class FormDraft {
  /** `refresh` runs after the script has changed fields.
   * @param {HTMLFormElement} form @param {() => void} refresh */
  constructor(form, refresh) {
    this.form = form;
    this.refresh = refresh;
    this.line = find(form, "[data-draft-notice]");
    this.initialValues = readValues(form);
    this.draft = findDraftValues(form);
  }

  announceChange() {
    this.refresh();
    const announce = () => draftFields(this.form)[0]?.dispatchEvent(new Event("input", { bubbles: true }));
    // Before the page is loaded, no listener would hear it.
    if (document.readyState === "complete") announce();
    else addEventListener("load", announce, { once: true });
  }

  restoreDraft() {
    // A refused form already shows the latest values.
    if (find(this.form, ".refusal") || !addsToForm(this.form, this.draft)) return;
    fillForm(this.form, this.draft);
    if (this.line) this.line.hidden = false;
    this.announceChange();
  }

  save() {
    const now = createDraft(this.form);
    // The other forms have fields that this one lacks.
    const values = { ...this.draft, ...now.values };
    writeStorage(storageKey(this.form), JSON.stringify({ ...now, values }));
    addBidsToLinks(now.values.bids?.[0] ?? "");
  }

  discard() {
    this.draft = {};
    writeStorage(storageKey(this.form), "");
  }

  startOver() {
    fillForm(this.form, this.initialValues);
    if (this.line) this.line.hidden = true;
    this.announceChange();
    this.discard();
    const first = findRequired(this.form, "[data-step], [data-pad]");
    first.focus();
    first.click();
  }

  /* The page was drawn for an earlier hand and has just moved on to the next one. */
  handleNextHand() {
    if (this.line?.hidden !== false) this.initialValues = readValues(this.form);
    this.refresh();
    this.draft = findDraftValues(this.form);
    this.restoreDraft();
  }
}

/** Restores the draft of this hand, and saves changes from now on. `refresh` runs after the script has changed fields.
 * @param {HTMLFormElement} form @param {() => void} refresh @param {AbortSignal} signal */
export function startDraft(form, refresh, signal) {
  if (form.dataset.entryKind !== "enter") return;
  const draft = new FormDraft(form, refresh);
  draft.restoreDraft();
  const { bids: [bids = ""] = [] } = readValues(form);
  // A refused hand becomes a draft again. If the draft is of a later hand, it stays until the page moves on to that.
  if (bids || find(form, ".refusal") || readDraft(form)?.number === form.dataset.number) draft.save();
  else addBidsToLinks(bids);
  if (draft.line) findRequired(draft.line, "button").addEventListener("click", () => draft.startOver());
  form.addEventListener("tricky:next-hand", () => draft.handleNextHand(), { signal });
  form.addEventListener("input", () => draft.save(), { signal });
  // Only once it is saved, so that a page that is left earlier can restore it.
  form.addEventListener("tricky:saved", () => draft.discard(), { signal });
}
