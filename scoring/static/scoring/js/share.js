/* Sends the result on by the phone's own means, where it has them (https only). */

import { find, need, tapped } from "./dom.js";

document.addEventListener("click", (event) => {
  if (!tapped(event, "[data-share]")) return;
  const text = need(document, "[data-result]").textContent;
  navigator.share({ text, url: location.href }).catch(() => {});
});

const offerShare = () => {
  const button = find(document, "[data-share]");
  if (button && "share" in navigator) button.hidden = false;
};
document.addEventListener("htmx:afterSwap", offerShare);
document.addEventListener("tricky:drawn", offerShare);
offerShare();
