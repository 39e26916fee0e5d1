/* A sheet that follows by itself, and what needs scripts or none. */

import "./clock.js";
import "./entry.js";
import "./phone/start.js";
import { startKeys } from "./keys.js";

let polling = 0;

/* Asks for the sheet while the page is seen: quickly after a change, slower later. */
function startLive(live, signal) {
  const connection = document.getElementById("connection");
  let changed = Date.now();
  let heard = new Date();

  const pause = () => {
    const quiet = Date.now() - changed;
    const base = quiet < 300000 ? 1200 : quiet < 1800000 ? 5000 : 15000;
    return base * (0.9 + Math.random() * 0.2);
  };
  const ask = () => {
    clearTimeout(polling);
    // What this phone still keeps, the server cannot show.
    if (document.hidden || !live.isConnected || document.documentElement.dataset.waiting) return;
    window.htmx.trigger(live, "poll");
    polling = setTimeout(ask, pause());
  };
  live.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt === live) {
      event.detail.parameters.v = live.querySelector("[data-version]").dataset.version;
    }
  });
  live.addEventListener("htmx:afterRequest", (event) => {
    const isLost = !event.detail.successful;
    if (!isLost) heard = new Date();
    const time = heard.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const words = isLost ? connection.dataset.lost.replace("%s", time) : "";
    if (connection.textContent !== words) connection.textContent = words;
    if (event.detail.xhr?.status === 200) changed = Date.now();
  });
  for (const wakes of ["visibilitychange", "focus", "online", "pageshow"]) {
    window.addEventListener(wakes, ask, { signal });
  }
  for (const wakes of ["visibilitychange", "tricky:outbox"]) document.addEventListener(wakes, ask, { signal });
  ask();
}

/* What only some pages need comes with them; without it they are typed into. */
function fetchWanted() {
  const wants = (selector) => document.querySelector(selector) !== null;
  if (wants("[data-trick]")) import("./pieces.js").catch(() => {});
  if (wants("[data-new-match]")) import("./seats.js").catch(() => {});
  if (wants("[data-hand-over], [data-bring]")) import("./phone/moving.js").catch(() => {});
}

let drawn; // ends what listens to the page that was drawn before
function begin() {
  fetchWanted();
  drawn?.abort();
  drawn = new AbortController();
  for (const element of document.querySelectorAll("[data-no-script]")) element.hidden = true;
  const live = document.querySelector("[data-live]");
  if (live) startLive(live, drawn.signal);
  const menu = document.querySelector("a.menu");
  menu?.addEventListener("click", () => (document.querySelector(menu.hash).open = true));
}
document.addEventListener("tricky:drawn", begin);
startKeys();
begin();

/* Sends the result on by the phone's own means, where it has them (https only). */
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-share]")) return;
  const text = document.querySelector("[data-result]").textContent;
  navigator.share({ text, url: location.href }).catch(() => {});
});
const offerShare = () => {
  const button = document.querySelector("[data-share]");
  if (button && navigator.share) button.hidden = false;
};
for (const changed of ["htmx:afterSwap", "tricky:drawn"]) document.addEventListener(changed, offerShare);
offerShare();
