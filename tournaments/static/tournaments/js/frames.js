/* Where a director takes along what is written on the club's own site. */

/* The preview is as high as what it shows, as it is where the site's page has the script. */
const preview = document.querySelector("iframe");
addEventListener("message", ({ origin, source, data }) => {
  if (preview === null || origin !== location.origin || source !== preview.contentWindow) return;
  if (data?.tricky === "height") preview.style.height = `${Number(data.height)}px`;
});

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
