/* The script of all pages, because a page that is drawn in the place of another may need any part of it. */

import "./phone/start.js";
import "./phone/transfer.js";
import "./bidding.js";
import "./clock.js";
import "./entry.js";
import "./notices.js";
import "./pieces.js";
import "./share.js";
import "./sheet.js";
import "./theme.js";
import { find, findAll, listen, onEachPage } from "./browser.js";
import { startDialogs } from "./dialog.js";
import { startKeys } from "./keys.js";
import { startMenu } from "./menu.js";
import { removeAccountMatches, removeMatch } from "./phone/store.js";
import { startSeats } from "./seats.js";

/* For browser tests. */
export { findMatch, queuedEntries, readSnapshot } from "./phone/store.js";
export { callWorker, requestPage, startServer } from "./phone/local_server.js";
export { openPage } from "./phone/pages.js";

onEachPage("tricky:drawn", () => {
  for (const element of findAll(document, "[data-no-script]")) element.hidden = true;
});
startDialogs();
startKeys();
startMenu();
startSeats();
// Otherwise the phone would still list the match without a network.
listen("submit", ({ target }) => {
  const address = target instanceof HTMLFormElement && target.dataset.forgetMatch;
  if (address) removeMatch(address).catch((error) => console.warn("Match not removed:", error));
});
// On the sign-in page and after a sign-out.
const hasSignedOut = location.search === "?signed-out";
if (hasSignedOut) history.replaceState(history.state, "", location.pathname);
if (hasSignedOut || find(document, "[data-signed-out]")) {
  removeAccountMatches().catch((error) => console.warn("Matches not removed:", error));
}
