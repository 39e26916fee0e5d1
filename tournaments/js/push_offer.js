/* Offers push notifications. The browser's permission is requested, and a subscription sent, only after a tap on
   the button. */

import { find, findRequired, onEachPage } from "../../scoring/js/browser.js";

/** Whether this browser supports push; plain http and private windows don't. */
const canReceivePush = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

const token = () => JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] ?? "";

/** Returns this browser's push subscription for the site's public key.
 * @param {string} key */
async function subscribe(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch {
    // A subscription for an older key blocks a new one.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  }
}

/** @param {HTMLElement} panel */
async function enablePush(panel) {
  const { subscribeUrl = "", publicKey = "" } = panel.dataset;
  if ((await Notification.requestPermission()) !== "granted") return panel.dataset.deniedText;
  const { endpoint, keys } = (await subscribe(publicKey)).toJSON();
  const body = new URLSearchParams({ endpoint: endpoint ?? "", p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" });
  const answer = await fetch(subscribeUrl, { method: "POST", body, headers: { "X-CSRFToken": token() } });
  if (answer.status === 201) location.reload();
  return answer.status === 201 ? "" : (await answer.json()).refused || panel.dataset.failedText;
}

/** Shows the offer on this page, and after each swap. */
export const startPushOffer = () =>
  onEachPage("htmx:afterSwap", () => {
    const panel = find(document, "[data-subscribe-url]");
    if (!panel?.hidden || !canReceivePush()) return;
    panel.hidden = false;
    const status = findRequired(panel, "[role=status]");
    findRequired(panel, "button").addEventListener("click", () => {
      enablePush(panel)
        .catch(() => panel.dataset.failedText)
        .then((message) => (status.textContent = message ?? ""));
    });
  });
