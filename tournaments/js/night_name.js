/* Renames a night that is named after its day when its date changes. */

/** @param {string} name @returns {HTMLInputElement | null} */
const field = (name) => document.querySelector(`[name="${name}"]`);
const title = field("name");
const starts = field("starts_at");

/* As the site proposes it, whose format has `l` for the weekday, `j` for the day and `F` for the month. */
const { dayFormat = "" } = /** @type {HTMLElement | null} */ (document.querySelector("[data-day-format]"))?.dataset ?? {};

/** @param {string} moment */
function dayOf(moment) {
  const day = new Date(moment);
  if (Number.isNaN(day.getTime())) return "";
  /** @param {Intl.DateTimeFormatOptions} options */
  const part = (options) => day.toLocaleDateString(document.documentElement.lang, options);
  /** @type {Record<string, string>} */
  const parts = { l: part({ weekday: "long" }), j: String(day.getDate()), F: part({ month: "long" }) };
  return dayFormat.replace(/\\(.)|[ljF]/g, (sign, plain) => plain ?? parts[sign]);
}

if (title && starts) {
  let proposed = dayOf(starts.value);
  starts.addEventListener("change", () => {
    const day = dayOf(starts.value);
    if (day && title.value === proposed) title.value = day;
    proposed = day;
  });
}

export {};
