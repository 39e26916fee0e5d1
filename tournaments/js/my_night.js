/* My night: heard and felt while it is open, and there without a network. */

import { startSound } from "./ring.js";
import { startPushOffer } from "./push_offer.js";

/** @param {ParentNode} root @param {string} selector */
const findRequired = (root, selector) => /** @type {HTMLElement} */ (root.querySelector(selector));

const NIGHTS = "tricky-nights";

const title = document.title;
/** @returns {HTMLElement | null} */
const night = () => document.querySelector("#night");

const sound = startSound("tricky-night-sound");

let known = night()?.dataset.news;
function tell() {
  const news = night()?.dataset.news;
  if (news === known) return;
  known = news;
  // What is to be done now stands above it.
  document.querySelector("#telling")?.removeAttribute("open");
  if (document.hidden) document.title = `(1) ${title}`;
  sound();
}
document.addEventListener("visibilitychange", () => document.hidden || (document.title = title));

/* Since when nothing is heard: a page that was kept tells when the server drew it. */
let heard = new Date(night()?.dataset.now ?? Date.now());
/** @param {boolean} isThere */
function showAge(isThere) {
  if (isThere) heard = new Date();
  const age = findRequired(document, "#as-of");
  const { lang, dataset } = document.documentElement;
  const time = heard.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", hourCycle: lang === "en-us" ? "h12" : "h23", timeZone: dataset.zone });
  findRequired(age, "span").textContent = (age.dataset.words ?? "").replace("%s", time);
  age.hidden = isThere;
}

/* The page as it is now, for when the network is away; with the files that it is made of, which the
   service worker keeps as they pass. */
async function keep() {
  if (!night() || !window.caches || !("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.ready;
  const answer = await fetch(location.pathname);
  const isOurs = answer.ok && !answer.redirected && answer.headers.has("X-Tricky");
  if (!isOurs || answer.headers.get("Cache-Control")?.includes("no-store")) return;
  await caches.open(NIGHTS).then((nights) => nights.put(location.pathname, answer));
  const files = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const ours = files.filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/static/"));
  for (const { href } of ours) if (!(await caches.match(href))) await fetch(href);
}
const keepIt = () => void keep().catch(() => {}); // Another time: the page goes on.

function start() {
  // The pad is drawn into the same document, so that this script outlives its page.
  document.addEventListener("htmx:afterRequest", (event) => {
    if (night()) showAge(Boolean(/** @type {CustomEvent} */ (event).detail.successful));
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (!night()) return;
    tell();
    keepIt();
  });
  navigator.serviceWorker?.addEventListener("controllerchange", keepIt);
  startPushOffer();
  keepIt();
}
if (night()) start();
