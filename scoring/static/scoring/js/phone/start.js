/* The pad without a network: what is kept, what is sent, and who draws the pages. */

import { going, showCount, waiting } from "./kept.js";
import * as local from "./local.js";
import { fetchMatch, startOutbox } from "./outbox.js";
import { startMarks } from "./marks.js";
import { addressOf, away, drawMeanwhile, fromPhone, go, isPad, keepAhead, startPages } from "./pages.js";
import { startPen } from "./pen.js";
import { startSaving } from "./saving.js";

const BEYOND = "/clubs/"; // this phone answers that it needs the network
const QUIET = 4000; // milliseconds after which the page is thought to be idle

const addressHere = () => addressOf(location);

/* What this phone shows of a match it can go on with alone. */
async function holdThis() {
  const address = addressHere();
  if (!address || away || (await going(address)).length) return;
  await fetchMatch(address).catch(() => null);
  if (local.ready) await local.hold(address);
  await keepNext();
}

/* The page of the next hand, before the network goes. */
async function keepNext() {
  const address = addressHere();
  if (!address || location.pathname !== `/m/${address}/` || (await waiting(address)).length) return;
  await keepAhead(`/m/${address}/hands/new/`);
}

/* The page as this phone has it: the one that was kept may lack what was entered since. */
async function redraw() {
  const address = addressHere();
  const isTyped = document.querySelector("form[data-keep] input:checked, form[data-keep] [data-pad]:not([value=''])");
  const mine = (away || (address && (await going(address)).length)) && isPad(new URL(location));
  if (mine && local.ready && !isTyped) return go(location, { remember: false, alone: true, yields: true });
  if (!document.querySelector("[data-shell]")) return;
  if (away) return local.ready && drawMeanwhile(() => fromPhone(new URL(BEYOND, location)));
  // Whoever has tapped a link meanwhile gets to its page, which loading this one would break off.
  if (isPad(new URL(location))) return go(location, { remember: false, yields: true }).catch(() => {});
  location.reload();
}

/* What this phone drew is the server's to tell once it has everything; but nothing that somebody
   types into goes away under the thumb, and a sheet asks by itself. */
async function catchUp() {
  const isOld = "held" in document.documentElement.dataset && !away && isPad(new URL(location));
  if (!isOld || document.querySelector("[data-live], form[data-keep] input:not([type=hidden])")) return;
  if (!(await going(addressHere())).length) await go(location, { remember: false, yields: true });
}

/* While this phone knows more than the server, or the network is away, previews come from here. */
function previewHere(event) {
  const { elt, requestConfig } = event.detail;
  const knowsMore = local.ready && document.documentElement.dataset.waiting;
  if (elt.id !== "preview" || !(away || knowsMore)) return;
  event.preventDefault();
  if (!local.ready) return;
  const fields = Object.fromEntries(requestConfig.formData ?? new FormData(elt.closest("form")));
  const show = ({ text }) => {
    elt.innerHTML = text;
    elt.dispatchEvent(new CustomEvent("htmx:afterSwap", { bubbles: true }));
  };
  local.answer("POST", requestConfig.path, fields, "true").then(show).catch((error) => console.warn("No preview:", error));
}

async function start() {
  startSaving();
  startPen();
  const keeps = await showCount().then(() => true, () => false);
  if (!keeps) return startPages();
  startOutbox();
  startMarks();
  const hold = () => holdThis().catch((error) => console.warn("Not held:", error));
  for (const news of ["tricky:drawn", "tricky:back"]) document.addEventListener(news, hold);
  for (const news of ["tricky:outbox", "tricky:back"]) document.addEventListener(news, () => catchUp().catch((error) => console.warn("Not drawn:", error)));
  document.addEventListener("tricky:outbox", () => keepNext().catch((error) => console.warn("Not kept ahead:", error)));
  document.body.addEventListener("htmx:afterSwap", (event) => event.detail?.target?.id === "live" && hold());
  const anew = () => redraw().catch((error) => console.warn("Not drawn:", error));
  document.addEventListener("tricky:ready", anew);
  // It may have become ready while a page was fetched that says it is not.
  document.addEventListener("tricky:drawn", () => local.ready && document.querySelector("[data-shell]") && anew());
  document.addEventListener("htmx:beforeRequest", previewHere);
  await startPages();
  hold();
  anew();
  beginWhenIdle();
  // Its beginning may have failed with the network, before its parts were kept here.
  document.addEventListener("tricky:back", beginWhenIdle);
}

/* What is to be read and tapped comes first. */
function beginWhenIdle() {
  if (!isPad(new URL(location)) || navigator.connection?.saveData) return;
  const idle = window.requestIdleCallback ?? setTimeout;
  setTimeout(() => idle(() => local.begin().catch(() => {})), QUIET);
}

async function install() {
  if (!("serviceWorker" in navigator)) return;
  // An installation that lost the network is tried again when it is back.
  const again = () => navigator.serviceWorker.controller || navigator.serviceWorker.register("/sw.js").catch(() => {});
  document.addEventListener("tricky:back", again);
  const registration = await navigator.serviceWorker.register("/sw.js");
  const offer = async () => {
    // A new release waits until everything that was entered with the old one is sent.
    const kept = await waiting().catch(() => []);
    if (!kept.length) registration.waiting?.postMessage("take over");
  };
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
  document.addEventListener("tricky:outbox", offer);
  offer();
}

// Without it forms are sent as forms are.
start().catch((error) => console.warn("This phone keeps nothing:", error));
install().catch((error) => console.warn("This phone cannot keep the pages:", error));
