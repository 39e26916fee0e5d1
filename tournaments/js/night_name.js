/* Renames a night that is named after its day when its date changes. */

/** @param {string} name @returns {HTMLInputElement | null} */
const findField = (name) => document.querySelector(`[name="${name}"]`);
const title = findField("name");
const starts = findField("starts_at");

/* Django's format of the proposed name: `l` for the weekday, `j` for the day and `F` for the month. */
const { dayFormat = "" } = /** @type {HTMLElement | null} */ (document.querySelector("[data-day-format]"))?.dataset ?? {};

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

export {};
