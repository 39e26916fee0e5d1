/* The script of all pages, because a page that is drawn in the place of another may need any part of it. */

import "./phone/start.js";
import "./phone/transfer.js";
import "./clock.js";
import "./entry.js";
import "./install_offer.js";
import "./pieces.js";
import "./seats.js";
import "./share.js";
import "./sheet.js";
import "./theme.js";
import "./https_notice.js";
import { find, findAll } from "./dom.js";
import { startKeys } from "./keys.js";
import { startMenu } from "./menu.js";
import { removeAccountMatches, removeMatch } from "./phone/store.js";

/* For browser tests. */
export * as store from "./phone/store.js";
export * as localServer from "./phone/local_server.js";
export * as pages from "./phone/pages.js";

/* On the sign-in page and after a sign-out. */
function removeMatchesAfterSignOut() {
  const hasSignedOut = location.search === "?signed-out";
  if (hasSignedOut) history.replaceState(history.state, "", location.pathname);
  if (!hasSignedOut && !find(document, "[data-signed-out]")) return;
  removeAccountMatches().catch((error) => console.warn("Matches not removed:", error));
}

/* Otherwise the phone would still list the match without a network. */
function removeForgottenMatches() {
  document.addEventListener("submit", ({ target }) => {
    const address = target instanceof HTMLFormElement && target.dataset.forgetMatch;
    if (address) removeMatch(address).catch((error) => console.warn("Match not removed:", error));
  });
}

function hideFallbacks() {
  for (const element of findAll(document, "[data-no-script]")) element.hidden = true;
}
document.addEventListener("tricky:drawn", hideFallbacks);
startKeys();
startMenu();
hideFallbacks();
removeForgottenMatches();
removeMatchesAfterSignOut();
