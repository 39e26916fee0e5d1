/* The theme is stored in a cookie, so that the server can render the page with it. */

import { find, findAll, onEachPage } from "./browser.js";

const YEAR = 60 * 60 * 24 * 365; // seconds
const root = document.documentElement;
/* The browser's bars have the colour of the page's cloth. */
function updateThemeColor() {
  const cloth = getComputedStyle(document.body).getPropertyValue("--cloth");
  for (const meta of findAll(document, "[name=theme-color]")) meta.setAttribute("content", cloth);
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", updateThemeColor);
onEachPage("tricky:drawn", () => {
  updateThemeColor();
  const control = find(document, "[data-theme-switch]");
  if (!control) return;
  const chosen = /** @type {HTMLInputElement | null} */ (find(control, `[value="${root.dataset.theme ?? "auto"}"]`));
  if (chosen) chosen.checked = true;
  control.hidden = false;
  control.addEventListener("change", ({ target }) => chooseTheme(/** @type {HTMLInputElement} */ (target).value));
});

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
