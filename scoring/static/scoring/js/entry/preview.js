/* What the preview says of an entry: faults mark their slots, and dice what they allow. */

import { all, enter, find, inputs } from "../dom.js";
import { inputsNamed, panelOf, stepOf } from "./steps.js";
import { advanceAlone } from "./tray.js";

/** Marks what is refused, and nothing else.
 * @param {HTMLFormElement} form */
export function markFaults(form) {
  for (const input of all(form, "[aria-invalid]")) input.removeAttribute("aria-invalid");
  for (const slot of all(form, ".slot.refused")) slot.classList.remove("refused");
  for (const reason of all(form, ".slot .refusal, .trick .refusal")) reason.remove();
  for (const fault of all(form, "[data-fault]")) {
    const [input] = inputsNamed(form, fault.dataset.fault ?? "");
    if (!input) continue;
    const step = stepOf(form, input);
    step.setAttribute("aria-describedby", fault.id);
    step.closest(".slot")?.classList.add("refused");
    input.setAttribute("aria-invalid", "true");
  }
}

/** Hides the trump of whoever did not choose it before the dice said who may.
 * @param {HTMLFormElement} form */
export function hideTrumpers(form) {
  showTrumpers(form, (chip) => find(chip, ":checked") !== null);
}

/* Where nobody has a choice nobody is asked. */
/** @param {HTMLFormElement} form @param {(chip: HTMLElement) => boolean} isAsked */
function showTrumpers(form, isAsked) {
  const chips = all(form, "[data-trumpers] .chip");
  for (const chip of chips) chip.hidden = !isAsked(chip);
  for (const asked of all(form, "[data-trumpers]")) asked.hidden = chips.every(({ hidden }) => hidden);
}

/* The dice that the preview speaks of; what it said of other dice comes too late. */
/** @param {HTMLFormElement} form */
function offersNow(form) {
  const offers = find(form, "[data-offers]");
  const dice = inputs(form, '[name^="dice_"]').map(({ value }) => value || "-");
  return offers?.dataset.dice === dice.join(" ") ? offers.dataset : null;
}

/** @param {Pad} pad @param {HTMLInputElement} tier */
function chooseTier(pad, tier) {
  tier.checked = true;
  enter(tier, tier.value);
  if (pad.current && panelOf(pad.current)?.contains(tier)) advanceAlone(pad);
}

/** DB2T learns what the dice allow: the tiers, and who may call trump. Returns whether it did.
 * @param {Pad} pad */
export function offerTiers(pad) {
  const { form } = pad;
  const offers = offersNow(form);
  if (!offers) return false;
  const tiers = (offers.offers ?? "").split(" ");
  const trumpers = (offers.mayTrump ?? "").split(" ");
  for (const tier of inputsNamed(form, "tier")) {
    const chip = /** @type {HTMLElement} */ (tier.closest(".chip"));
    chip.hidden = !tiers.includes(tier.value);
    if (chip.hidden) tier.checked = false;
  }
  showTrumpers(form, (chip) => trumpers.includes(chip.dataset.value ?? ""));
  const only = inputsNamed(form, "tier").find(({ value }) => tiers.length === 1 && value === tiers[0]);
  if (only && !only.checked) chooseTier(pad, only);
  return true;
}
