// The theme is stored in a cookie, so that the server can render the page with it.

const YEAR = 60 * 60 * 24 * 365; // seconds
const root = document.documentElement;
document.addEventListener("tricky:drawn", startTheme);
startTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", updateThemeColor);

/* The browser's bars have the colour of the page's cloth. */
function updateThemeColor() {
  const cloth = getComputedStyle(document.body).getPropertyValue("--cloth");
  for (const meta of document.querySelectorAll("[name=theme-color]")) meta.setAttribute("content", cloth);
}

function startTheme() {
  updateThemeColor();
  /** @type {HTMLFieldSetElement | null} */
  const control = document.querySelector("[data-theme-switch]");
  if (!control) return;
  /** @type {HTMLInputElement | null} */
  const chosen = control.querySelector(`[value="${root.dataset.theme ?? "auto"}"]`);
  if (chosen) chosen.checked = true;
  control.hidden = false;
  control.addEventListener("change", ({ target }) => chooseTheme(/** @type {HTMLInputElement} */ (target).value));
}

/** @param {string} theme */
function chooseTheme(theme) {
  const age = theme === "auto" ? 0 : YEAR;
  // Neither other hosts nor plain http can set a cookie with the prefix `__Host-`.
  const [name, secure] = location.protocol === "https:" ? ["__Host-theme", "; secure"] : ["theme", ""];
  document.cookie = `${name}=${theme}; path=/; max-age=${age}; samesite=lax${secure}`;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  updateThemeColor();
}
