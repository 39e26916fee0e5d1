/* My night: plays a sound for news while the page is open, and caches the page for use without a network. */

import { startSound } from "./sound.js";
import { startPushOffer } from "./push_offer.js";

/** @param {ParentNode} root @param {string} selector */
const findRequired = (root, selector) => /** @type {HTMLElement} */ (root.querySelector(selector));

const NIGHTS = "tricky-nights";

const title = document.title;
/** @returns {HTMLElement | null} */
const findNight = () => document.querySelector("#night");

const playSound = startSound("tricky-night-sound");

let knownNews = findNight()?.dataset.changeKey;
function announceNews() {
  const news = findNight()?.dataset.changeKey;
  if (news === knownNews) return;
  knownNews = news;
  // So that the current action comes first.
  document.querySelector("#notifications")?.removeAttribute("open");
  if (document.hidden) document.title = `(1) ${title}`;
  playSound();
}
document.addEventListener("visibilitychange", () => document.hidden || (document.title = title));

/* A cached page says when the server rendered it. */
let lastAnswerAt = new Date(findNight()?.dataset.serverTime ?? Date.now());
/** @param {boolean} isOnline */
function showAge(isOnline) {
  if (isOnline) lastAnswerAt = new Date();
  const age = findRequired(document, "#offline-notice");
  const { lang, dataset } = document.documentElement;
  const time = lastAnswerAt.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", hourCycle: lang === "en-us" ? "h12" : "h23", timeZone: dataset.timeZone });
  findRequired(age, "span").textContent = (age.dataset.asOfText ?? "").replace("%s", time);
  age.hidden = isOnline;
}

/* Caches the current page, and lets the service worker cache its files. */
async function cachePage() {
  if (!findNight() || !window.caches || !("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.ready;
  const answer = await fetch(location.pathname);
  const isOwnPage = answer.ok && !answer.redirected && answer.headers.has("X-Tricky");
  if (!isOwnPage || answer.headers.get("Cache-Control")?.includes("no-store")) return;
  await caches.open(NIGHTS).then((nights) => nights.put(location.pathname, answer));
  const files = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const ownFiles = files.filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/static/"));
  for (const { href } of ownFiles) if (!(await caches.match(href))) await fetch(href);
}
const cacheQuietly = () => void cachePage().catch(() => {});

function start() {
  // This script goes on when the scorepad is drawn into the same document.
  document.addEventListener("htmx:afterRequest", (event) => {
    if (findNight()) showAge(Boolean(/** @type {CustomEvent} */ (event).detail.successful));
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (!findNight()) return;
    announceNews();
    cacheQuietly();
  });
  navigator.serviceWorker?.addEventListener("controllerchange", cacheQuietly);
  startPushOffer();
  cacheQuietly();
}
if (findNight()) start();
