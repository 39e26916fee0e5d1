/* Starts the scorepad: the queue, the network, the local server, and who draws the pages. */

import { find, findRequired } from "../dom.js";
import { currentUrl, isScorepadPage, matchAddress, toUrl } from "./addresses.js";
import { startBadges } from "./badges.js";
import * as local from "./local_server.js";
import * as network from "./network.js";
import { drawIfIdle, fetchLocalPage, reloadPage, startNavigation } from "./pages.js";
import { startPreviews } from "./preview.js";
import { canStartByItself, canStartFor, prefetchParts, startIfSafe, startReadiness } from "./readiness.js";
import { startSaving } from "./save.js";
import { findMatch, queuedEntries, showCounts, unsentEntries } from "./store.js";
import { fetchMatch, startSync } from "./sync.js";

const SERVER_PAGE = "/clubs/"; // this phone answers that it needs the network
const IDLE_AFTER = 4000; // milliseconds after which the page is thought to be idle
const FILLED_INPUTS = "form[data-keep] input:checked, form[data-keep] [data-pad]:not([value=''])";
const OPEN_INPUTS = "[data-live], form[data-keep] input:not([type=hidden])";

const currentMatch = () => matchAddress(location);

/** @param {string} words */
const warn = (words) => (/** @type {Error} */ error) => console.warn(words, error);

/* Stores the match that is shown, so that the phone can go on alone. */
async function refreshMatch() {
  const address = currentMatch();
  if (!address || network.isAway || (await unsentEntries(address)).length) return;
  await fetchMatch(address).catch(() => null);
  if (local.isReady) await local.loadMatches(address);
  await prefetchNextHand();
}

/* Caches the page of the next hand, and the sheet if it was loaded before pages were cached. */
async function prefetchNextHand() {
  const address = currentMatch();
  const sheet = `/m/${address}/`;
  if (!address || location.pathname !== sheet || (await queuedEntries(address)).length) return;
  if (!(await window.caches?.match(sheet))) await network.prefetchPage(sheet);
  // A phone that only follows cannot open it.
  if ((await findMatch(address))?.token) await network.prefetchPage(`${sheet}hands/new/`);
}

/* Lets the local server draw a page that is not cached, or says that it cannot. */
/** @param {HTMLElement} shell */
async function startServerFor(shell) {
  const starts = canStartFor(location) ? startIfSafe() : Promise.reject(new Error("not asked"));
  await starts.catch(() => {
    shell.hidden = true;
    findRequired(document, "[data-stuck]").hidden = false;
  });
}

/* Draws the page with what this phone knows: a cached one may lack what was entered since. */
async function redraw() {
  const address = currentMatch();
  const isMine = (network.isAway || (address && (await unsentEntries(address)).length)) && isScorepadPage(currentUrl());
  if (isMine && local.isReady && !find(document, FILLED_INPUTS)) return reloadPage({ alone: true, yields: true });
  const waiting = find(document, "[data-needs-network]");
  if (waiting && !network.isAway && waiting.dataset.needsNetwork !== location.pathname) location.reload();
  const shell = find(document, "[data-shell]");
  if (!shell) return;
  if (network.isAway) return local.isReady ? drawIfIdle(() => fetchLocalPage(toUrl(SERVER_PAGE))) : startServerFor(shell);
  // A reload would abort a link that was tapped meanwhile.
  if (isScorepadPage(currentUrl())) return reloadPage({ yields: true }).catch(() => startServerFor(shell));
  location.reload();
}

/* Replaces a page that this phone drew by the server's, once everything is sent; but not a form that is being
   filled in, nor a sheet, which updates itself. */
async function replaceLocalPage() {
  const isOld = "held" in document.documentElement.dataset && !network.isAway && isScorepadPage(currentUrl());
  if (!isOld || find(document, OPEN_INPUTS)) return;
  if (!(await unsentEntries(currentMatch())).length) await reloadPage({ yields: true });
}

/* After the page is idle, starts the local server if it is wanted, or else caches its parts. */
function startServerWhenIdle() {
  if (!isScorepadPage(currentUrl()) || navigator.connection?.saveData) return;
  const action = () => (canStartByItself() ? startIfSafe() : prefetchParts()).catch(() => {});
  // A slow phone may never be idle.
  setTimeout(() => ("requestIdleCallback" in window ? requestIdleCallback(action, { timeout: IDLE_AFTER }) : action()), IDLE_AFTER);
}

/* Listens to the page, the queue and the network. */
function listen() {
  const hold = () => refreshMatch().catch(warn("Not held:"));
  const drawAnew = () => redraw().catch(warn("Not drawn:"));
  const drawOld = () => replaceLocalPage().catch(warn("Not drawn:"));
  const keepNextAhead = () => prefetchNextHand().catch(console.warn);
  for (const news of ["tricky:drawn", "tricky:back"]) document.addEventListener(news, hold);
  for (const news of ["tricky:outbox", "tricky:back"]) document.addEventListener(news, drawOld);
  document.addEventListener("tricky:outbox", keepNextAhead);
  document.body.addEventListener("htmx:afterSwap", (event) => event.detail?.target?.id === "live" && hold());
  document.addEventListener("tricky:ready", drawAnew);
  document.addEventListener("tricky:back", () => find(document, "[data-shell], [data-needs-network]") && drawAnew());
  // It may have become ready while the page was fetched.
  document.addEventListener("tricky:drawn", () => local.isReady && find(document, "[data-shell]") && drawAnew());
  return { hold, drawAnew };
}

async function start() {
  startSaving();
  // First, because changes are counted from now on.
  startPreviews();
  const keeps = await showCounts().then(() => true, () => false);
  if (!keeps) return startNavigation();
  startSync();
  startBadges();
  startReadiness();
  const { hold, drawAnew } = listen();
  await startNavigation();
  hold();
  drawAnew();
  startServerWhenIdle();
  // Without a network its parts could not be cached.
  document.addEventListener("tricky:back", startServerWhenIdle);
}

/* The service worker caches the files of a release on this phone. */

/** A new release waits until everything that was entered with the old one is sent.
 * @param {ServiceWorkerRegistration} registration */
async function offerRelease(registration) {
  const entries = await queuedEntries().catch(() => []);
  if (!entries.length) registration.waiting?.postMessage("take over");
}

/* Without it no page can be opened without the network, which is said where there is a place for it. */
function announceMissingWorker() {
  document.documentElement.dataset.workerless = "";
  document.dispatchEvent(new CustomEvent("tricky:workerless"));
}

/** Installs it; an installation that lost the network is tried again when it is back. */
async function registerServiceWorker() {
  if (!isSecureContext) announceMissingWorker();
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  document.addEventListener("tricky:back", () => serviceWorker.controller || serviceWorker.register("/sw.js").catch(() => {}));
  const registration = await serviceWorker.register("/sw.js").catch((error) => {
    // The page itself may have been let through by hand.
    if (error.name === "SecurityError") announceMissingWorker();
    throw error;
  });
  const offerIt = () => offerRelease(registration);
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offerIt));
  document.addEventListener("tricky:outbox", offerIt);
  offerIt();
}

// Without it forms are sent as forms are.
start().catch(warn("Not stored:"));
registerServiceWorker().catch(warn("Not installed:"));
