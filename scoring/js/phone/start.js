/* Starts the scorepad: saving, sync, navigation, and the local server. */

import { announce, find, findRequired, listen } from "../browser.js";
import { currentUrl, isScorepadPage, matchAddress, toUrl } from "./addresses.js";
import { startBadges } from "./badges.js";
import * as local from "./local_server.js";
import * as network from "./network.js";
import { drawIfIdle, fetchLocalPage, reloadPage, startNavigation } from "./pages.js";
import { startPreviews } from "./preview.js";
import { startSaving } from "./save.js";
import { findMatch, queuedEntries, showCounts, unsentEntries } from "./store.js";
import { fetchMatch, startSync } from "./sync.js";

const SERVER_PAGE = "/clubs/"; // the local server answers that it needs the network
const IDLE_AFTER = 4000; // milliseconds
const FILLED_INPUTS = "form[data-entry-kind] input:checked, form[data-entry-kind] [data-pad]:not([value=''])";
const OPEN_INPUTS = "[data-live], form[data-entry-kind] input:not([type=hidden])";

const currentMatch = () => matchAddress(location);

/** @param {string} words */
const warn = (words) => (/** @type {Error} */ error) => console.warn(words, error);

/* Stores the current match, so that the phone can continue without a network. */
async function refreshMatch() {
  const address = currentMatch();
  if (!address || network.isAway || (await unsentEntries(address)).length) return;
  await fetchMatch(address).catch(() => null);
  if (local.isReady) await local.loadMatches(address);
  await prefetchNextHand();
}

/* Also caches the sheet, if it was loaded before the service worker started. */
async function prefetchNextHand() {
  const address = currentMatch();
  const sheet = `/m/${address}/`;
  if (!address || location.pathname !== sheet || (await queuedEntries(address)).length) return;
  if (!(await window.caches?.match(sheet))) await network.prefetchPage(sheet);
  // A phone that only watches cannot open it.
  if ((await findMatch(address))?.token) await network.prefetchPage(`${sheet}hands/new/`);
}

/* So that the settings of this phone open without a network, in the account that uses it now. */
async function prefetchSettings() {
  if (location.pathname === "/") await network.prefetchPage("/you/");
}

/* Lets the local server draw a page that is not cached, or shows that it cannot. */
/** @param {HTMLElement} shell */
async function startServerFor(shell) {
  const start = local.canStartFor(location) ? local.startIfSafe() : Promise.reject(new Error("not asked"));
  await start.catch(() => {
    shell.hidden = true;
    findRequired(document, "[data-start-failure]").hidden = false;
  });
}

/* Draws the page again, because a cached one may lack the latest entries. */
async function redraw() {
  const address = currentMatch();
  const isAhead = (network.isAway || (address && (await unsentEntries(address)).length)) && isScorepadPage(currentUrl());
  if (isAhead && local.isReady && !find(document, FILLED_INPUTS)) return reloadPage({ localOnly: true, onlyIfIdle: true });
  const waiting = find(document, "[data-needs-network]");
  if (waiting && !network.isAway && waiting.dataset.needsNetwork !== location.pathname) location.reload();
  const shell = find(document, "[data-start-status]");
  if (!shell) return;
  if (network.isAway) return local.isReady ? drawIfIdle(() => fetchLocalPage(toUrl(SERVER_PAGE))) : startServerFor(shell);
  // A full reload would abort a link that was tapped meanwhile.
  if (isScorepadPage(currentUrl())) return reloadPage({ onlyIfIdle: true }).catch(() => startServerFor(shell));
  location.reload();
}

/* Replaces a page that this phone drew by the server's once everything is sent. Not a form with fields, and not a sheet,
   which updates itself. */
async function replaceLocalPage() {
  const isOld = "snapshotVersion" in document.documentElement.dataset && !network.isAway && isScorepadPage(currentUrl());
  if (!isOld || find(document, OPEN_INPUTS)) return;
  if (!(await unsentEntries(currentMatch())).length) await reloadPage({ onlyIfIdle: true });
}

/* Starts the local server if it is wanted, or else caches its files, once the page is idle. */
function startServerWhenIdle() {
  if (!isScorepadPage(currentUrl()) || navigator.connection?.saveData) return;
  const startOrPrefetch = () => (local.canStartByItself() ? local.startIfSafe() : local.prefetchParts()).catch(() => {});
  // A slow phone may never be idle.
  setTimeout(() => ("requestIdleCallback" in window ? requestIdleCallback(startOrPrefetch, { timeout: IDLE_AFTER }) : startOrPrefetch()), IDLE_AFTER);
}

async function start() {
  startSaving();
  // First, because changes are counted from now on.
  startPreviews();
  const hasStorage = await showCounts().then(() => true, () => false);
  if (!hasStorage) return startNavigation();
  startSync();
  startBadges();
  local.startReadiness();
  const storeMatch = () => refreshMatch().catch(warn("Not stored:"));
  const redrawPage = () => redraw().catch(warn("Not drawn:"));
  listen("tricky:drawn tricky:back", storeMatch);
  listen("tricky:outbox tricky:back", () => replaceLocalPage().catch(warn("Not drawn:")));
  listen("tricky:outbox", () => prefetchNextHand().catch(console.warn));
  listen("htmx:afterSwap", ({ detail }) => detail?.target?.id === "live" && storeMatch());
  listen("tricky:ready", redrawPage);
  listen("tricky:back", () => find(document, "[data-start-status], [data-needs-network]") && redrawPage());
  // The local server may have become ready while the page was fetched.
  listen("tricky:drawn", () => local.isReady && find(document, "[data-start-status]") && redrawPage());
  await startNavigation();
  storeMatch();
  prefetchSettings().catch(console.warn);
  redrawPage();
  startServerWhenIdle();
  // Without a network, its files could not be cached.
  listen("tricky:back", startServerWhenIdle);
}

/* The service worker caches the files of a release. */

/* Without a service worker, no page opens without a network; some pages explain that. */
function announceMissingWorker() {
  document.documentElement.dataset.noServiceWorker = "";
  announce("tricky:workerless");
}

/** Installs the service worker. If the network is lost, tries again when it is back. */
async function registerServiceWorker() {
  if (!isSecureContext) announceMissingWorker();
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  listen("tricky:back", () => serviceWorker.controller || serviceWorker.register("/sw.js").catch(() => {}));
  const registration = await serviceWorker.register("/sw.js").catch((error) => {
    // Somebody may have accepted an invalid certificate for the page, but that does not apply to service workers.
    if (error.name === "SecurityError") announceMissingWorker();
    throw error;
  });
  // A new release takes over once everything that was entered with the old one is sent.
  const offerUpdate = async () => {
    const entries = await queuedEntries().catch(() => []);
    if (!entries.length) registration.waiting?.postMessage("take over");
  };
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offerUpdate));
  listen("tricky:outbox", offerUpdate);
  offerUpdate();
}

// If it fails, forms are submitted by the browser.
start().catch(warn("Not stored:"));
registerServiceWorker().catch(warn("Not installed:"));
