/* My night: plays a sound for news while the page is open, and caches the page for use without a network. */

import { fillText, find, findRequired, formatTime, listen } from "../../scoring/js/browser.js";
import { startPushOffer } from "./push_offer.js";
import { startSound } from "./sound.js";

const NIGHTS = "tricky-nights";

const title = document.title;
const findNight = () => find(document, "#night");

const playSound = startSound("tricky-night-sound");

let knownNews = findNight()?.dataset.changeKey;
function announceNews() {
  const news = findNight()?.dataset.changeKey;
  if (news === knownNews) return;
  knownNews = news;
  // So that the current action comes first.
  find(document, "#notifications")?.removeAttribute("open");
  if (document.hidden) document.title = `(1) ${title}`;
  playSound();
}
listen("visibilitychange", () => document.hidden || (document.title = title));

/* A cached page says when the server rendered it. */
let lastAnswerAt = new Date(findNight()?.dataset.serverTime ?? Date.now());
/** @param {boolean} isOnline */
function showAge(isOnline) {
  if (isOnline) lastAnswerAt = new Date();
  const age = findRequired(document, "#offline-notice");
  findRequired(age, "span").textContent = fillText(age.dataset.asOfText, formatTime(lastAnswerAt));
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
  listen("htmx:afterRequest", ({ detail }) => findNight() && showAge(Boolean(detail.successful)));
  listen("htmx:afterSwap", () => {
    if (!findNight()) return;
    announceNews();
    cacheQuietly();
  });
  navigator.serviceWorker?.addEventListener("controllerchange", cacheQuietly);
  startPushOffer();
  cacheQuietly();
}
if (findNight()) start();
