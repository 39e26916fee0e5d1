/* A night that is still called after its day is called after another one once it is moved there. */

/** @param {string} called @returns {HTMLInputElement | null} */
const field = (called) => document.querySelector(`[name="${called}"]`);
const title = field("name");
const starts = field("starts_at");

/* As the site proposes it: weekday, day, month. */
/** @param {string} moment */
function dayOf(moment) {
  const day = new Date(moment);
  if (Number.isNaN(day.getTime())) return "";
  /** @param {Intl.DateTimeFormatOptions} wanted */
  const part = (wanted) => day.toLocaleDateString(document.documentElement.lang, wanted);
  return `${part({ weekday: "long" })}, ${day.getDate()} ${part({ month: "long" })}`;
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
