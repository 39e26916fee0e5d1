// Light, dark, or as the system has it: remembered in a cookie, so that the server
// writes the right page from the start.
const root = document.documentElement;
document.addEventListener("tricky:drawn", begin);
begin();

function begin() {
  const control = document.querySelector("[data-theme-switch]");
  if (!control) return;
  const chosen = root.dataset.theme ?? "auto";
  control.querySelector(`[value="${chosen}"]`).checked = true;
  control.hidden = false;
  control.addEventListener("change", (event) => {
    const theme = event.target.value;
    const age = theme === "auto" ? 0 : 60 * 60 * 24 * 365;
    document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`;
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
  });
}
