/* Shares the result by the share sheet of the phone (https only): with a picture if the phone can share files, or else
   only the link. */

import { find, findRequired, findTapped, listen, onEachPage } from "./browser.js";

const PICTURE_TIMEOUT = 800; // milliseconds; browsers only allow sharing within a second after a tap
/** @type {{ address: string, file: Promise<File | null> } | null} */
let fetched = null;

/** @param {string} address @returns {Promise<File | null>} */
async function fetchPicture(address) {
  try {
    const answer = await fetch(address);
    if (!answer.ok) return null;
    return new File([await answer.blob()], "result.png", { type: "image/png" });
  } catch {
    return null;
  }
}

/** @param {HTMLElement} button */
function getPicture(button) {
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
  const timeout = new Promise((resolve) => setTimeout(() => resolve(null), PICTURE_TIMEOUT));
  const file = await Promise.race([getPicture(button), timeout]);
  const linkWithPicture = file ? { ...link, files: [file] } : link;
  await navigator.share(file && navigator.canShare(linkWithPicture) ? linkWithPicture : link);
}

/** @param {Event} event */
const findButton = (event) => findTapped(event, "[data-share]");

listen("click", (event) => {
  const button = findButton(event);
  // It is rejected if somebody cancels.
  if (button) share(button).catch(() => {});
});
listen("pointerover pointerdown focusin", (event) => {
  const button = findButton(event);
  if (button) void getPicture(button);
});
onEachPage("tricky:drawn htmx:afterSwap", () => {
  if ("share" in navigator) find(document, "[data-share]")?.removeAttribute("hidden");
});
