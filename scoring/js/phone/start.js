/* The pad without a network: what is kept, what is sent, and who draws the pages. */

import { find, need } from "../dom.js";
import { addressOf, here, isPad, toUrl } from "./addresses.js";
import { install } from "./install.js";
import { going, heldMatch, showCount, waiting } from "./kept.js";
import { startPages } from "./links.js";
import * as local from "./local.js";
import { startMarks } from "./marks.js";
import * as network from "./network.js";
import { fetchMatch, startOutbox } from "./outbox.js";
import { drawMeanwhile, fromPhone, goAnew } from "./pages.js";
import { startPreviews } from "./preview.js";
import { begin, keepParts, mayStart, startReadiness, startsFor } from "./readiness.js";
import { startSaving } from "./saving.js";

const BEYOND = "/clubs/"; // this phone answers that it needs the network
const QUIET = 4000; // milliseconds after which the page is thought to be idle
const TYPED = "form[data-keep] input:checked, form[data-keep] [data-pad]:not([value=''])";
const TYPED_INTO = "[data-live], form[data-keep] input:not([type=hidden])";

const addressHere = () => addressOf(location);

/** @param {string} words */
const warn = (words) => (/** @type {Error} */ error) => console.warn(words, error);

/* What this phone shows of a match it can go on with alone. */
async function holdThis() {
  const address = addressHere();
  if (!address || network.away || (await going(address)).length) return;
  await fetchMatch(address).catch(() => null);
  if (local.ready) await local.hold(address);
  await keepNext();
}

/* The page of the next hand, before the network goes; and the sheet, where it came before this phone
   kept any page. */
async function keepNext() {
  const address = addressHere();
  const sheet = `/m/${address}/`;
  if (!address || location.pathname !== sheet || (await waiting(address)).length) return;
  if (!(await window.caches?.match(sheet))) await network.keepAhead(sheet);
  // Whoever only follows is let in there no more than by a link.
  if ((await heldMatch(address))?.token) await network.keepAhead(`${sheet}hands/new/`);
}

/* Where nothing is kept of a page, this phone's own server draws it, or it is said that it does not: one
   that only follows asks first. */
/** @param {HTMLElement} shell */
async function startFor(shell) {
  const starts = startsFor(location) ? begin() : Promise.reject(new Error("not asked"));
  await starts.catch(() => {
    shell.hidden = true;
    need(document, "[data-stuck]").hidden = false;
  });
}

/* The page as this phone has it: the one that was kept may lack what was entered since. */
async function redraw() {
  const address = addressHere();
  const isMine = (network.away || (address && (await going(address)).length)) && isPad(here());
  if (isMine && local.ready && !find(document, TYPED)) return goAnew({ alone: true, yields: true });
  const waiting = find(document, "[data-needs-network]");
  if (waiting && !network.away && waiting.dataset.needsNetwork !== location.pathname) location.reload();
  const shell = find(document, "[data-shell]");
  if (!shell) return;
  if (network.away) return local.ready ? drawMeanwhile(() => fromPhone(toUrl(BEYOND))) : startFor(shell);
  // Whoever has tapped a link meanwhile gets to its page, which loading this one would break off.
  if (isPad(here())) return goAnew({ yields: true }).catch(() => startFor(shell));
  location.reload();
}

/* What this phone drew is the server's to tell once it has everything; but nothing that somebody
   types into goes away under the thumb, and a sheet asks by itself. */
async function catchUp() {
  const isOld = "held" in document.documentElement.dataset && !network.away && isPad(here());
  if (!isOld || find(document, TYPED_INTO)) return;
  if (!(await going(addressHere())).length) await goAnew({ yields: true });
}

/* What is to be read and tapped comes first. Whoever writes has the parts of this phone's server kept
   ahead, for the network may go; it is started only where it is wanted. */
function beginWhenIdle() {
  if (!isPad(here()) || navigator.connection?.saveData) return;
  const idle = window.requestIdleCallback ?? setTimeout;
  const act = () => (mayStart() ? begin() : keepParts());
  setTimeout(() => idle(() => act().catch(() => {})), QUIET);
}

/* Follows what happens to the page, the outbox and the network. */
function listen() {
  const hold = () => holdThis().catch(warn("Not held:"));
  const drawAnew = () => redraw().catch(warn("Not drawn:"));
  const drawOld = () => catchUp().catch(warn("Not drawn:"));
  const keepNextAhead = () => keepNext().catch(console.warn);
  for (const news of ["tricky:drawn", "tricky:back"]) document.addEventListener(news, hold);
  for (const news of ["tricky:outbox", "tricky:back"]) document.addEventListener(news, drawOld);
  document.addEventListener("tricky:outbox", keepNextAhead);
  document.body.addEventListener("htmx:afterSwap", (event) => event.detail?.target?.id === "live" && hold());
  document.addEventListener("tricky:ready", drawAnew);
  document.addEventListener("tricky:back", () => find(document, "[data-shell], [data-needs-network]") && drawAnew());
  // It may have become ready while a page was fetched that says it is not.
  document.addEventListener("tricky:drawn", () => local.ready && find(document, "[data-shell]") && drawAnew());
  return { hold, drawAnew };
}

async function start() {
  startSaving();
  // Before anything is waited for: what changes from now on is counted.
  startPreviews();
  const keeps = await showCount().then(() => true, () => false);
  if (!keeps) return startPages();
  startOutbox();
  startMarks();
  startReadiness();
  const { hold, drawAnew } = listen();
  await startPages();
  hold();
  drawAnew();
  beginWhenIdle();
  // Its beginning may have failed with the network, before its parts were kept here.
  document.addEventListener("tricky:back", beginWhenIdle);
}

// Without it forms are sent as forms are.
start().catch(warn("Not stored:"));
install().catch(warn("Not installed:"));
