/* What the forms of clubs and tournaments propose. */

import { find, findAll, findInputs } from "../../scoring/js/browser.js";

/* An unchanged time zone is that of this device. */

const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of findInputs(document, "[name=time_zone]")) {
  const isOffered = [...(field.list?.options ?? [])].some((option) => option.value === deviceZone);
  if (isOffered && field.dataset.proposed !== undefined && field.value === field.dataset.proposed) field.value = deviceZone;
}

/* A night that is named after its day is renamed when its date changes. */

const [title] = findInputs(document, "[name=name]");
const [starts] = findInputs(document, "[name=starts_at]");

/* Django's format of the proposed name: `l` for the weekday, `j` for the day and `F` for the month. */
const { dayFormat = "" } = find(document, "[data-day-format]")?.dataset ?? {};

/** @param {string} moment */
function formatDay(moment) {
  const day = new Date(moment);
  if (Number.isNaN(day.getTime())) return "";
  /** @param {Intl.DateTimeFormatOptions} options */
  const formatPart = (options) => day.toLocaleDateString(document.documentElement.lang, options);
  /** @type {Record<string, string>} */
  const parts = { l: formatPart({ weekday: "long" }), j: String(day.getDate()), F: formatPart({ month: "long" }) };
  return dayFormat.replace(/\\(.)|[ljF]/g, (sign, plain) => plain ?? parts[sign]);
}

if (title && starts) {
  let proposedName = formatDay(starts.value);
  starts.addEventListener("change", () => {
    const day = formatDay(starts.value);
    if (day && title.value === proposedName) title.value = day;
    proposedName = day;
  });
}

/* Buttons step a number up and down. */

for (const stepper of findAll(document, ".stepper")) {
  const [field] = findInputs(stepper, "input");
  for (const button of findAll(stepper, "[data-step]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      if (button.dataset.step === "1") field.stepUp();
      else field.stepDown();
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
}

/* A change of the wizard makes its proposals outdated, so that they have to be requested again. */

find(document, ".wizard-form")?.addEventListener("input", () => {
  find(document, ".proposals")?.setAttribute("hidden", "");
  find(document, ".wizard-form > button")?.classList.add("primary");
});
