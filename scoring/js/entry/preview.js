/* What the preview says of an entry: faults mark their slots, and dice what they allow. */

import { fillInput, find, findAll, findInputs } from "../dom.js";
import { inputsNamed, panelOf, stepOf } from "./steps.js";
import { advanceAlone } from "./tray.js";

/** Marks what is refused, and nothing else.
 * @param {HTMLFormElement} form */
export function markFaults(form) {
  for (const input of findAll(form, "[aria-invalid]")) input.removeAttribute("aria-invalid");
  for (const slot of findAll(form, ".slot.is-refused")) slot.classList.remove("is-refused");
  for (const reason of findAll(form, ".slot .refusal, .trick .refusal")) reason.remove();
  for (const fault of findAll(form, "[data-fault]")) {
    const [input] = inputsNamed(form, fault.dataset.fault ?? "");
    if (!input) continue;
    const step = stepOf(form, input);
    step.setAttribute("aria-describedby", fault.id);
    step.closest(".slot")?.classList.add("is-refused");
    input.setAttribute("aria-invalid", "true");
  }
}

/** Hides the trump of whoever did not choose it before the dice said who may.
 * @param {HTMLFormElement} form */
export const hideTrumpers = (form) => offerTrump(form);

/** Offers some choices of a group alone, or those that were made, and takes back what is not offered.
 * @param {HTMLFormElement} form @param {string} group @param {string} [values] */
function offer(form, group, values) {
  for (const chip of findAll(form, `${group} .chip`)) {
    const [choice] = findInputs(chip, "input");
    chip.hidden = !(values?.split(" ").includes(chip.dataset.value ?? "") ?? choice.checked);
    if (chip.hidden) choice.checked = false;
  }
}

/** Asks who declares trump only where somebody may.
 * @param {HTMLFormElement} form @param {string} [seats] */
function offerTrump(form, seats) {
  offer(form, "[data-trumpers]", seats);
  for (const group of findAll(form, "[data-trumpers]")) group.hidden = !find(group, ".chip:not([hidden])");
}

/* The dice that the preview speaks of; what it said of other dice comes too late. */
/** @param {HTMLFormElement} form */
function offersNow(form) {
  const offers = find(form, "[data-offers]");
  const dice = findInputs(form, '[name^="dice_"]').map(({ value }) => value || "-");
  return offers?.dataset.dice === dice.join(" ") ? offers.dataset : null;
}

/** @param {Pad} pad @param {HTMLInputElement} tier */
function chooseTier(pad, tier) {
  tier.checked = true;
  fillInput(tier, tier.value);
  if (pad.current && panelOf(pad.current)?.contains(tier)) advanceAlone(pad);
}

/** DB2T learns what the dice allow: the tiers, and who may call trump. Returns whether it did.
 * @param {Pad} pad */
export function offerTiers(pad) {
  const { form } = pad;
  const offers = offersNow(form);
  if (!offers) return false;
  const { offers: tiers = "", mayTrump, mayDiscard } = offers;
  offer(form, "[data-panel=tier]", tiers);
  offerTrump(form, mayTrump);
  offer(form, "[data-discarders]", mayDiscard);
  const only = inputsNamed(form, "tier").find(({ value }) => value === tiers);
  if (only && !only.checked) chooseTier(pad, only);
  return true;
}
