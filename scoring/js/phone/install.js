/* The service worker keeps the files of a release on this phone. */

import { waiting } from "./kept.js";

/** A new release waits until everything that was entered with the old one is sent.
 * @param {ServiceWorkerRegistration} registration */
async function offer(registration) {
  const entries = await waiting().catch(() => []);
  if (!entries.length) registration.waiting?.postMessage("take over");
}

/* Without it no page can be opened without the network, which is said where there is a place for it. */
function noteMissing() {
  document.documentElement.dataset.workerless = "";
  document.dispatchEvent(new CustomEvent("tricky:workerless"));
}

/** Installs it; an installation that lost the network is tried again when it is back. */
export async function install() {
  if (!isSecureContext) noteMissing();
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  document.addEventListener("tricky:back", () => serviceWorker.controller || serviceWorker.register("/sw.js").catch(() => {}));
  const registration = await serviceWorker.register("/sw.js").catch((error) => {
    // The page itself may have been let through by hand.
    if (error.name === "SecurityError") noteMissing();
    throw error;
  });
  const offerIt = () => offer(registration);
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offerIt));
  document.addEventListener("tricky:outbox", offerIt);
  offerIt();
}
