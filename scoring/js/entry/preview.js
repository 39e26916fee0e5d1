/* Applies the preview to the form: marks faults, and offers only the choices that the dice allow. */

import { fillInput, find, findAll, findInputs } from "../dom.js";
import { findNamedInputs, findStep, getPanel } from "./steps.js";
import { advanceAutomatically } from "./tray.js";

/** @param {HTMLFormElement} form */
export function markFaults(form) {
  for (const input of findAll(form, "[aria-invalid]")) input.removeAttribute("aria-invalid");
  for (const slot of findAll(form, ".slot.is-refused")) slot.classList.remove("is-refused");
  for (const reason of findAll(form, ".slot .refusal, .trick .refusal")) reason.remove();
  for (const fault of findAll(form, "[data-fault]")) {
    const [input] = findNamedInputs(form, fault.dataset.fault ?? "");
    if (!input) continue;
    const step = findStep(form, input);
    step.setAttribute("aria-describedby", fault.id);
    step.closest(".slot")?.classList.add("is-refused");
    input.setAttribute("aria-invalid", "true");
  }
}

/** Hides all trump choices that are not made, until the dice are known.
 * @param {HTMLFormElement} form */
export const hideTrumpChoices = (form) => limitTrumpChoices(form);

/** Shows only some choices of a group and unchecks the hidden ones; without `values` only checked choices stay.
 * @param {HTMLFormElement} form @param {string} group @param {string} [values] */
function limitChoices(form, group, values) {
  for (const chip of findAll(form, `${group} .chip`)) {
    const [choice] = findInputs(chip, "input");
    chip.hidden = !(values?.split(" ").includes(chip.dataset.value ?? "") ?? choice.checked);
    if (chip.hidden) choice.checked = false;
  }
}

/** Hides the whole group if nobody may declare trump.
 * @param {HTMLFormElement} form @param {string} [seats] */
function limitTrumpChoices(form, seats) {
  limitChoices(form, "[data-trump-choice]", seats);
  for (const group of findAll(form, "[data-trump-choice]")) group.hidden = !find(group, ".chip:not([hidden])");
}

/* A preview of other dice is outdated. */
/** @param {HTMLFormElement} form */
function getCurrentOffers(form) {
  const offers = find(form, "[data-offered-tiers]");
  const dice = findInputs(form, '[name^="dice_"]').map(({ value }) => value || "-");
  return offers?.dataset.dice === dice.join(" ") ? offers.dataset : null;
}

/** @param {Pad} pad @param {HTMLInputElement} tier */
function chooseTier(pad, tier) {
  tier.checked = true;
  fillInput(tier, tier.value);
  if (pad.current && getPanel(pad.current)?.contains(tier)) advanceAutomatically(pad);
}

/** Offers the tiers of DB2T, trump calls and discards that the dice allow. Returns whether the preview has any.
 * @param {Pad} pad */
export function applyOffers(pad) {
  const { form } = pad;
  const offers = getCurrentOffers(form);
  if (!offers) return false;
  const { offeredTiers = "", trumpSeats, discardSeats } = offers;
  limitChoices(form, "[data-panel=tier]", offeredTiers);
  limitTrumpChoices(form, trumpSeats);
  limitChoices(form, "[data-discarders]", discardSeats);
  const only = findNamedInputs(form, "tier").find(({ value }) => value === offeredTiers);
  if (only && !only.checked) chooseTier(pad, only);
  return true;
}
