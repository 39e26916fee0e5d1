/* A night that is still called after its day is called after another one once it is moved there. */

/** @param {string} called @returns {HTMLInputElement | null} */
const field = (called) => document.querySelector(`[name="${called}"]`);
const title = field("name");
const starts = field("starts_at");

/* As the site proposes it, whose format has `l` for the weekday, `j` for the day and `F` for the month. */
const { dayFormat = "" } = /** @type {HTMLElement | null} */ (document.querySelector("[data-day-format]"))?.dataset ?? {};

/** @param {string} moment */
function dayOf(moment) {
  const day = new Date(moment);
  if (Number.isNaN(day.getTime())) return "";
  /** @param {Intl.DateTimeFormatOptions} wanted */
  const part = (wanted) => day.toLocaleDateString(document.documentElement.lang, wanted);
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
