/* Saves forms: an entry is first stored on this phone, then sent.

   Attributes of a form: data-entry-kind (the kind of entry), data-address (the match), data-number (the hand), data-confirm (if
   a second step confirms the first), data-success-text (the message after saving). */

import { createElement, listen, onEachPage } from "../browser.js";
import { findMissingSteps } from "../entry/steps.js";
import { correctionPath, isScorepadPage, pathOf, toUrl } from "./addresses.js";
import { moveToForm, repairWithForm, showSaved, showUndo } from "./badges.js";
import * as local from "./local_server.js";
import * as network from "./network.js";
import { findOutcome, openNextUnscored, removeUnknownTurn, showPendingHands, updateHandNumber } from "./next_hand.js";
import { showPage } from "../dialog.js";
import { drawPage, openPage, postAndDraw, postToEither, reloadPage } from "./pages.js";
import { confirmInsteadOfBoard, confirmUnusual } from "./preview.js";
import { createEntry, entryFromForm, readFields, rememberEntry, resultPath } from "./queue.js";
import { announceOutbox, enqueue } from "./store.js";
import { sendQueue } from "./sync.js";

const SAVE_TIMEOUT = 4000;
const SECOND_TAP = 500; // milliseconds in which a tap may still be meant for the previous page

/** Whether all hands of the match on this page are entered. @type {Promise<boolean>} */
let updating = Promise.resolve(false);

/** A submitted form with its fields and its entry.
 * @typedef {{ form: HTMLFormElement, fields: Fields, entry: Entry }} Saving */

/** @template T @param {number} time @param {Promise<T>} promise @returns {Promise<T | {}>} */
const withTimeout = (time, promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, time, {}))]);
/** @param {HTMLFormElement} form */
const formAction = (form) => form.getAttribute("action") ?? location.href;

/** Saves a partial hand in the background.
 * @param {HTMLFormElement} form */
async function saveContract(form) {
  if (form.dataset.entryKind !== "enter") return;
  // The note may be unfinished.
  await enqueue(entryFromForm(form, { ...readFields(form), note: "" }, { isContract: true }));
  if (!network.isAway) await sendQueue();
}

/** @param {HTMLFormElement} form @param {HTMLElement & { name?: string } | null} submitter */
async function saveForm(form, submitter) {
  // The number of a new hand is known after reading the queue; there may be none left.
  if ((await updating) && form.dataset.entryKind === "enter") return announceOutbox();
  // People have already confirmed an unusual hand.
  const fields = { ...readFields(form, submitter), sure: "on" };
  const entry = entryFromForm(form, fields, { submitter, isContract: submitter?.name === "contract_only" });
  try {
    await enqueue(entry, form.dataset.repairKey);
  } catch (error) {
    console.warn("Not stored:", error);
    return saveOnServer(form, fields);
  }
  rememberEntry(form, entry);
  form.dispatchEvent(new Event("tricky:saved"));
  local.recordWriting();
  try {
    /** @type {Record<string, string>} */
    const outcomes = network.isAway ? {} : await withTimeout(SAVE_TIMEOUT, sendQueue());
    // Another page was opened meanwhile.
    if (!form.isConnected) return announceOutbox();
    await showOutcome({ form, fields, entry }, outcomes[entry.key] ?? (await findOutcome(entry)));
  } catch (error) {
    // It is stored, even if its page cannot be shown.
    console.warn("Not shown:", error);
    announceOutbox();
  }
}

/** Shows the outcome of an entry, by the server or the local server.
 * @param {Saving} saving @param {string | undefined} outcome @returns {Promise<unknown>} */
async function showOutcome(saving, outcome) {
  const { form, fields, entry } = saving;
  if (outcome === "saved") return showResult(saving);
  if (outcome === "conflict") return openPage(`/m/${entry.address}/hands/${entry.number}/`);
  if (outcome === "refused") return showRefusal(entry, await postAndDraw(formAction(form), withKey(fields, entry), { allowLocal: false }));
  if (local.isReady) return showLocalOutcome(saving);
  local.startIfSafe().catch(() => {});
  return entry.kind === "enter" || outcome ? openNextUnscored(form, entry, offerUndo) : waitForOutcome(saving);
}

/** Shows the page of a saved entry.
 * @param {Saving} saving @param {{ localOnly?: boolean }} [options] */
async function showResult({ form, entry }, options) {
  const isOfSheet = form.dataset.resultPage === "sheet";
  const page = await openPage(isOfSheet ? `/m/${entry.address}/` : resultPath(entry, location.search), options);
  if (page && entry.kind === "enter") offerUndo(entry);
  if (page && form.dataset.successText) showSaved(form.dataset.successText);
  return page;
}

/** Offers to undo a hand, which voids it and opens its form, and then to restore it.
 * @param {Entry} entry */
function offerUndo(entry) {
  const { address, number = 0, made_by: madeBy } = entry;
  showUndo(number, async (kind) => {
    await enqueue({ ...createEntry(kind, address), number, made_by: madeBy });
    await sendQueue();
    // If the form cannot be drawn, shows the sheet.
    await openPage(kind === "void" ? correctionPath(entry) : `/m/${address}/`).catch(() => reloadPage());
  });
}

/* With the same key, so that it is only saved once. */
/** @param {Fields} fields @param {Entry} entry */
const withKey = (fields, entry) => ({ ...fields, key: entry.key });

/** Shows the verdict of the local server on an entry.
 * @param {Saving} saving */
async function showLocalOutcome(saving) {
  const { form, fields, entry } = saving;
  const verdict = await local.validateEntry(entry);
  if (verdict?.isBehind) return openNextUnscored(form, entry, offerUndo);
  if (verdict?.status !== 422) return showResult(saving, { localOnly: Boolean(verdict) });
  const url = toUrl(formAction(form));
  const page = await local.requestPage("POST", pathOf(url), withKey(fields, entry));
  if (page.status !== 200) return showResult(saving, { localOnly: true });
  return moveToForm(entry, () => drawPage({ url, text: page.text, held: page.held }));
}

/** Moves a refused entry to the form with its faults, if the server showed that.
 * @param {Entry} entry @param {PadPage | false} page */
const showRefusal = async (entry, page) => page && page.isGood && moveToForm(entry);

/** Waits until the server or the local server has a new match or a correction, because no page can show it before. Stops
 * when the form is gone.
 * @param {Saving} saving @returns {Promise<unknown>} */
async function waitForOutcome(saving) {
  const { form, entry } = saving;
  const abort = new AbortController();
  /** @type {string | undefined} */
  const outcome = await new Promise((resolve) => {
    const checkOutcome = async () => {
      const found = await findOutcome(entry);
      if (form.isConnected && !found && !local.isReady) return;
      abort.abort();
      resolve(found);
    };
    listen("tricky:outbox tricky:ready tricky:drawn", checkOutcome, { signal: abort.signal });
    announceOutbox();
  });
  return form.isConnected && showOutcome(saving, outcome);
}

/** Saves only on the server, for phones that cannot store anything.
 * @param {HTMLFormElement} form @param {Fields} fields */
async function saveOnServer(form, fields) {
  try {
    await postAndDraw(formAction(form), fields, { allowLocal: false });
  } catch (error) {
    showMessage(messageName(error, "phoneFull"));
  }
}

/** Returns the name of the message about a form that could not be sent.
 * @param {unknown} error @param {string} otherwise */
const messageName = (error, otherwise) => (error instanceof network.ServerStateError ? error.message : otherwise);

/** Shows a message above the page.
 * @param {string} words the name of its text */
function showMessage(words) {
  const region = document.getElementById("queue-status");
  const line = createElement("p", { className: "refusal" }, region?.dataset[`${words}Text`] ?? "");
  line.dataset.message = words;
  region?.querySelector("[data-message]")?.remove();
  region?.append(line);
  region?.scrollIntoView({ block: "nearest" });
}

/** Whether a submitted form is an entry, and not only checked.
 * @param {HTMLFormElement} form @param {HTMLElement & { name?: string } | null} submitter */
const isEntry = (form, submitter) =>
  Boolean(form.dataset.entryKind) && submitter?.name !== "check" && !submitter?.hasAttribute("formaction");

/** Whether a complete hand has all required fields, and people confirmed it if needed.
 * @param {HTMLFormElement} form */
async function isReadyToSave(form) {
  const [missing] = findMissingSteps(form);
  if (missing) form.dispatchEvent(new CustomEvent("tricky:missing", { detail: missing }));
  return !missing && confirmInsteadOfBoard(form) && confirmUnusual(form);
}

/** Saves a form, or only posts it if it is not an entry yet.
 * @param {HTMLFormElement} form @param {HTMLElement & { name?: string } | null} submitter @param {URL} to */
async function submitForm(form, submitter, to) {
  const { dataset } = form;
  const isWhole = isEntry(form, submitter) && submitter?.name !== "contract_only";
  if (isWhole && !(await isReadyToSave(form))) return undefined;
  if (isEntry(form, submitter) && (!("confirm" in dataset) || submitter?.name === "confirm")) return saveForm(form, submitter);
  const allowLocal = "entryKind" in dataset || "offlineCapable" in dataset;
  if ("dialog" in dataset) return showPage(await postToEither(to, readFields(form, submitter), allowLocal));
  const isDrawn = await postAndDraw(to, readFields(form, submitter), { allowLocal });
  return isDrawn && repairWithForm(dataset.repairKey);
}

/** Covers the place of the tapped button for a moment, so that a double tap does nothing on the next page.
 * @param {DOMRect} place */
function coverFromSecondTap({ left, top, width, height }) {
  const cover = createElement("div");
  const [x, y, cssWidth, cssHeight] = [left, top, width, height].map((length) => `${length}px`);
  Object.assign(cover.style, { position: "fixed", left: x, top: y, width: cssWidth, height: cssHeight, zIndex: "1000" });
  (document.querySelector("dialog[open]") ?? document.body).append(cover);
  setTimeout(() => cover.remove(), SECOND_TAP);
}

/** @param {SubmitEvent} event */
async function handleSubmit(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const { submitter } = event;
  const to = toUrl(submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "");
  if (event.defaultPrevented || form.method !== "post" || !isScorepadPage(to)) return;
  event.preventDefault();
  // A double tap.
  if (form.hasAttribute("aria-busy")) return;
  form.setAttribute("aria-busy", "true");
  const place = submitter?.getBoundingClientRect();
  try {
    await submitForm(form, submitter, to);
  } catch (error) {
    showMessage(messageName(error, form.dataset.offlineMessage ?? "offline"));
  } finally {
    form.removeAttribute("aria-busy");
    if (place) coverFromSecondTap(place);
    if (form.isConnected && isEntry(form, submitter)) announceOutbox();
  }
}

export function startSaving() {
  onEachPage("tricky:drawn", () => {
    updating = Promise.all([updateHandNumber(), showPendingHands(), removeUnknownTurn()])
      .then(([areAllEntered]) => areAllEntered)
      .catch(() => false);
  });
  listen("tricky:partial-hand", ({ detail: form }) => saveContract(form).catch(console.warn));
  listen("submit", handleSubmit);
}
