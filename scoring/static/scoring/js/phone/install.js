/* The service worker keeps the files of a release on this phone. */

import { waiting } from "./kept.js";

/** A new release waits until everything that was entered with the old one is sent.
 * @param {ServiceWorkerRegistration} registration */
async function offer(registration) {
  const entries = await waiting().catch(() => []);
  if (!entries.length) registration.waiting?.postMessage("take over");
}

/** Installs it; an installation that lost the network is tried again when it is back. */
export async function install() {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  document.addEventListener("tricky:back", () => serviceWorker.controller || serviceWorker.register("/sw.js").catch(() => {}));
  const registration = await serviceWorker.register("/sw.js");
  const offerIt = () => offer(registration);
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offerIt));
  document.addEventListener("tricky:outbox", offerIt);
  offerIt();
}
