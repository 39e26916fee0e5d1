/* Saving: an entry is kept on this phone before anything else, then sent.

   A form says what it is: data-keep (the kind of entry), data-address (the match),
   data-number (the hand), data-confirm (where a second step confirms the first). */

import { correctionOf, isPad, placeOf, toUrl } from "./addresses.js";
import { destination, entryOf, fieldsOf, newEntry, noteKept } from "./entries.js";
import { keep } from "./kept.js";
import * as local from "./local.js";
import { mendWithForm, takeBack } from "./mending.js";
import * as network from "./network.js";
import { countOn, removeUnknownTurn, showKept } from "./nexthand.js";
import { drain, tell } from "./outbox.js";
import { draw, go, goAnew, post } from "./pages.js";
import { isInsteadOfBoard, isSure } from "./preview.js";
import { begin, noteWriting } from "./readiness.js";
import * as undo from "./undo.js";
import { nextWithoutScore, outcomeElsewhere } from "./unscored.js";

const PATIENCE = 4000;

/** Whether all hands of the match on this page are in. @type {Promise<boolean>} */
let counting = Promise.resolve(false);

/** A form that was submitted: what it says, and as what that is kept.
 * @typedef {{ form: HTMLFormElement, fields: Fields, entry: Entry }} Saving */

/** @template T @param {number} time @param {Promise<T>} promise @returns {Promise<T | {}>} */
const within = (time, promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, time, {}))]);
/** @param {HTMLFormElement} form */
const action = (form) => form.getAttribute("action") ?? location.href;

/** Keeps a hand as far as it was played; nobody waits for it.
 * @param {HTMLFormElement} form */
async function keepBegun(form) {
  if (form.dataset.keep !== "enter") return;
  await keep(entryOf(form, fieldsOf(form), { isContract: true }));
  if (!network.away) await drain();
}

/** @param {HTMLFormElement} form @param {HTMLElement & { name?: string } | null} submitter */
async function save(form, submitter) {
  // Which number a new hand has is known once what is kept was read; after the last there is none.
  if ((await counting) && form.dataset.keep === "enter") return tell();
  // What is unusual was asked about here.
  const fields = { ...fieldsOf(form, submitter), sure: "on" };
  const entry = entryOf(form, fields, { submitter, isContract: submitter?.name === "contract_only" });
  try {
    await keep(entry, form.dataset.mends);
  } catch (error) {
    console.warn("Not stored:", error);
    return saveWithoutKeeping(form, fields);
  }
  noteKept(form, entry);
  form.dispatchEvent(new Event("tricky:kept"));
  noteWriting();
  try {
    /** @type {Record<string, string>} */
    const outcomes = network.away ? {} : await within(PATIENCE, drain());
    // Whoever has gone on meanwhile is not fetched back.
    if (!form.isConnected) return tell();
    await goOn({ form, fields, entry }, outcomes[entry.key] ?? (await outcomeElsewhere(entry)));
  } catch (error) {
    // It is kept, whatever could not be shown.
    console.warn("Not shown:", error);
    tell();
  }
}

/** Shows what became of an entry that is kept: where the server has not said it yet, what
 * this phone makes of it.
 * @param {Saving} saving @param {string | undefined} outcome @returns {Promise<unknown>} */
async function goOn(saving, outcome) {
  const { form, fields, entry } = saving;
  if (outcome === "saved") return show(saving);
  if (outcome === "beside") return go(`/m/${entry.address}/hands/${entry.number}/`);
  if (outcome === "refused") return showRefused(entry, await post(action(form), repeated(fields, entry), { here: false }));
  if (local.ready) return goOnHere(saving);
  begin().catch(() => {});
  return entry.kind === "enter" || outcome ? nextWithoutScore(form, entry, offerUndo) : goOnWhenThere(saving);
}

/** Shows what came of an entry.
 * @param {Saving} saving @param {{ alone?: boolean }} [manner] */
async function show({ form, entry }, manner) {
  const isOfSheet = form.dataset.leads === "sheet";
  const page = await go(isOfSheet ? `/m/${entry.address}/` : destination(entry, location.search), manner);
  if (page && entry.kind === "enter") await offerUndo(entry);
  return page;
}

/** Offers to take a hand back into its form, and to put it back from there.
 * @param {Entry} entry */
async function offerUndo(entry) {
  const { address, number = 0, made_by: madeBy } = entry;
  undo.offerUndo(number, async (kind) => {
    await keep({ ...newEntry(kind, address), number, made_by: madeBy });
    await drain();
    const isUndone = kind === "void";
    // A phone that cannot draw the form shows the sheet without the hand.
    await go(isUndone ? correctionOf(entry) : `/m/${address}/`).catch(() => goAnew());
  });
}

/* The same key: whoever takes it after all takes it once. */
/** @param {Fields} fields @param {Entry} entry */
const repeated = (fields, entry) => ({ ...fields, key: entry.key });

/** Shows what this phone's own server makes of an entry.
 * @param {Saving} saving */
async function goOnHere(saving) {
  const { form, fields, entry } = saving;
  const verdict = await local.validate(entry);
  if (verdict?.isBehind) return nextWithoutScore(form, entry, offerUndo);
  if (verdict?.status !== 422) return show(saving, { alone: Boolean(verdict) });
  const url = toUrl(action(form));
  const page = await local.answer("POST", placeOf(url), repeated(fields, entry));
  if (page.status !== 200) return show(saving, { alone: true });
  return takeBack(entry, () => draw({ url, text: page.text, held: page.held }));
}

/** What was refused is in the form with its reasons.
 * @param {Entry} entry @param {PadPage | false} page */
const showRefused = async (entry, page) => page && page.isGood && takeBack(entry);

/** Another hand can be entered before this one is scored; but what a beginning or a correction
 * comes to is on no page before one of the two servers has it. The form waits for the
 * quicker one, as long as it is on the screen.
 * @param {Saving} saving @returns {Promise<unknown>} */
async function goOnWhenThere(saving) {
  const { form, entry } = saving;
  const NEWS = ["tricky:outbox", "tricky:ready", "tricky:drawn"];
  /** @type {string | undefined} */
  let outcome;
  await new Promise((resolve) => {
    const see = async () => {
      outcome = await outcomeElsewhere(entry);
      if (form.isConnected && !outcome && !local.ready) return;
      for (const news of NEWS) document.removeEventListener(news, see);
      resolve(undefined);
    };
    for (const news of NEWS) document.addEventListener(news, see);
    // What is kept is said above the form meanwhile.
    tell();
  });
  return form.isConnected && goOn(saving, outcome);
}

/** A phone without room, or in a private window, has the server alone to save with.
 * @param {HTMLFormElement} form @param {Fields} fields */
async function saveWithoutKeeping(form, fields) {
  try {
    await post(action(form), fields, { here: false });
  } catch (error) {
    say(whyNot(error, "noRoom"));
  }
}

/** Returns by which words it is told what came of a form that was sent.
 * @param {unknown} error @param {string} otherwise */
const whyNot = (error, otherwise) => (error instanceof network.SaidError ? error.message : otherwise);

/** Says above the page, in sight, what came of a form that was sent.
 * @param {string} words by their name there */
function say(words) {
  const region = document.getElementById("kept");
  const line = document.createElement("p");
  line.className = "refusal";
  line.dataset.said = words;
  line.textContent = region?.dataset[words] ?? "";
  region?.querySelector("[data-said]")?.remove();
  region?.append(line);
  region?.scrollIntoView({ block: "nearest" });
}

const count = () => {
  const counted = Promise.all([countOn(), showKept(), removeUnknownTurn()]).then(([isAllIn]) => isAllIn);
  counting = counted.catch(console.warn).then(Boolean);
};

/** Whether a submitted form is an entry to be kept, and not a question of the form's.
 * @param {HTMLFormElement} form @param {HTMLElement & { name?: string } | null} submitter */
const isEntry = (form, submitter) =>
  Boolean(form.dataset.keep) && submitter?.name !== "check" && !submitter?.hasAttribute("formaction");

/** Keeps what a form says, or sends it where it is none to be kept yet.
 * @param {HTMLFormElement} form @param {HTMLElement & { name?: string } | null} submitter @param {URL} to */
async function submit(form, submitter, to) {
  const { dataset } = form;
  const isWhole = isEntry(form, submitter) && submitter?.name !== "contract_only";
  if (isWhole && !(isInsteadOfBoard(form) && (await isSure(form)))) return undefined;
  if (isEntry(form, submitter) && (!("confirm" in dataset) || submitter?.name === "confirm")) return save(form, submitter);
  const isDrawn = await post(to, fieldsOf(form, submitter), { here: "keep" in dataset || "here" in dataset });
  return isDrawn && mendWithForm(dataset.mends);
}

/** @param {SubmitEvent} event */
async function hearSubmit(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const { submitter } = event;
  const to = toUrl(submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "");
  if (event.defaultPrevented || form.method !== "post" || !isPad(to)) return;
  event.preventDefault();
  // A second tap says nothing new.
  if (form.hasAttribute("aria-busy")) return;
  form.setAttribute("aria-busy", "true");
  try {
    await submit(form, submitter, to);
  } catch (error) {
    say(whyNot(error, form.dataset.needs ?? "needs"));
  } finally {
    form.removeAttribute("aria-busy");
    if (form.isConnected && isEntry(form, submitter)) tell();
  }
}

/** Keeps what is entered from now on. */
export function startSaving() {
  document.addEventListener("tricky:drawn", count);
  count();
  document.addEventListener("tricky:begun", ({ detail: form }) =>
    keepBegun(form).catch(console.warn));
  document.addEventListener("submit", hearSubmit);
}
