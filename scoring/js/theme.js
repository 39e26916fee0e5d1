// Light, dark, or as the system has it: remembered in a cookie, so that the server
// writes the right page from the start.

const YEAR = 60 * 60 * 24 * 365; // seconds
const root = document.documentElement;
document.addEventListener("tricky:drawn", begin);
begin();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", frame);

/* What frames the page is of its cloth. */
function frame() {
  const cloth = getComputedStyle(document.body).getPropertyValue("--cloth");
  for (const meta of document.querySelectorAll("[name=theme-color]")) meta.setAttribute("content", cloth);
}

function begin() {
  frame();
  /** @type {HTMLFieldSetElement | null} */
  const control = document.querySelector("[data-theme-switch]");
  if (!control) return;
  /** @type {HTMLInputElement | null} */
  const chosen = control.querySelector(`[value="${root.dataset.theme ?? "auto"}"]`);
  if (chosen) chosen.checked = true;
  control.hidden = false;
  control.addEventListener("change", ({ target }) => choose(/** @type {HTMLInputElement} */ (target).value));
}

/** @param {string} theme */
function choose(theme) {
  const age = theme === "auto" ? 0 : YEAR;
  // With https by a name that no other host and no plain http can set.
  const [name, secure] = location.protocol === "https:" ? ["__Host-theme", "; secure"] : ["theme", ""];
  document.cookie = `${name}=${theme}; path=/; max-age=${age}; samesite=lax${secure}`;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  frame();
}
