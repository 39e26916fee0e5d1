/* Where a director takes along what is written on the club's own site. */

/* The preview is as high as what it shows. It is of this site, so that it need not tell. */
const preview = document.querySelector("iframe");
function fit() {
  const shown = preview?.contentDocument?.querySelector("body.framed");
  if (!preview || !shown) return;
  const measure = () => (preview.style.height = `${Math.ceil(shown.getBoundingClientRect().height) + 2}px`);
  new ResizeObserver(measure).observe(shown);
}
preview?.addEventListener("load", fit);
fit();

/** @param {HTMLButtonElement} button */
async function copy(button) {
  const written = document.getElementById(button.dataset.copies ?? "");
  if (!(written instanceof HTMLTextAreaElement)) return;
  await navigator.clipboard.writeText(written.value);
  written.select();
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copies]"))) {
  // Browsers have it on https alone; elsewhere the text is marked and copied by hand.
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", () => copy(button).catch(() => {}));
}
