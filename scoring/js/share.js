/* Sends the result on by the phone's own means, where it has them (https only): with its
   picture where files go along, else the link alone, which leads to the same picture. */

import { find, findRequired, findTapped } from "./dom.js";

/* Whoever is about to share waits for nothing: a phone forgets a tap after a second. */
const PATIENCE = 800;
/** @type {{ address: string, file: Promise<File | null> } | null} */
let fetched = null;

/** @param {string} address @returns {Promise<File | null>} */
async function fetchPicture(address) {
  try {
    const answer = await fetch(address);
    if (!answer.ok) return null;
    return new File([await answer.blob()], "result.png", { type: "image/png" });
  } catch {
    return null; // Without a network the link is shared all the same.
  }
}

/** @param {HTMLElement} button */
function pictureOf(button) {
  const address = button.dataset.picture;
  if (!address || !("canShare" in navigator)) return Promise.resolve(null);
  if (fetched?.address !== address) fetched = { address, file: fetchPicture(address) };
  return fetched.file;
}

/** @param {HTMLElement} button */
async function share(button) {
  const text = findRequired(document, "[data-result]").textContent ?? "";
  const link = { text, url: location.href };
  /** @type {Promise<null>} */
  const late = new Promise((resolve) => setTimeout(() => resolve(null), PATIENCE));
  const file = await Promise.race([pictureOf(button), late]);
  const whole = file ? { ...link, files: [file] } : link;
  await navigator.share(file && navigator.canShare(whole) ? whole : link);
}

/** @param {Event} event */
const buttonOf = (event) => findTapped(event, "[data-share]");

document.addEventListener("click", (event) => {
  const button = buttonOf(event);
  // Who thinks better of it has shared nothing, and that is all there is to say.
  if (button) share(button).catch(() => {});
});
for (const soon of ["pointerover", "pointerdown", "focusin"])
  document.addEventListener(soon, (event) => {
    const button = buttonOf(event);
    if (button) void pictureOf(button);
  });

const offerShare = () => {
  const button = find(document, "[data-share]");
  if (button && "share" in navigator) button.hidden = false;
};
document.addEventListener("htmx:afterSwap", offerShare);
document.addEventListener("tricky:drawn", offerShare);
offerShare();
