/* Asks whether this device is to tell what happens while its page is shut: nothing is asked for, and
   nothing is sent, before somebody taps the button. */

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement | null} */
const find = (root, selector) => root.querySelector(selector);

/** @param {ParentNode} root @param {string} selector */
const need = (root, selector) => /** @type {HTMLElement} */ (root.querySelector(selector));

/** Whether this browser can be told at all; plain http and private windows cannot. */
export const canBeTold = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

const token = () => JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] ?? "";

/** Returns the subscription of this browser, made with the key that this site signs with.
 * @param {string} key */
async function subscribed(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch {
    // One that was made with a key of before stands in the way.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  }
}

/** @param {HTMLElement} panel */
async function ask(panel) {
  const { tell = "", key = "" } = panel.dataset;
  if ((await Notification.requestPermission()) !== "granted") return panel.dataset.denied;
  const { endpoint, keys } = (await subscribed(key)).toJSON();
  const body = new URLSearchParams({ endpoint: endpoint ?? "", p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" });
  const answer = await fetch(tell, { method: "POST", body, headers: { "X-CSRFToken": token() } });
  if (answer.status === 201) location.reload();
  return answer.status === 201 ? "" : (await answer.json()).refused || panel.dataset.failed;
}

/** Offers it, where this browser can. */
function offer() {
  const panel = find(document, "[data-tell]");
  if (!panel?.hidden || !canBeTold()) return;
  panel.hidden = false;
  const said = need(panel, "[role=status]");
  need(panel, "button").addEventListener("click", () => {
    ask(panel)
      .catch(() => panel.dataset.failed)
      .then((words) => (said.textContent = words ?? ""));
  });
}

/** Offers it on this page, and on what is swapped into it. */
export function startTelling() {
  offer();
  document.addEventListener("htmx:afterSwap", offer);
}
