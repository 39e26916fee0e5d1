/* Shows push notifications. */

const ICON = "/static/scoring/icons/tricky-192.png";

addEventListener("push", (event) => event.waitUntil(showNotification(event.data?.json())));

/** What the server sends. @typedef {{ title: string, body: string, url: string, tag: string, stop: string, ends: string }} PushMessage */

/** @param {PushMessage | undefined} message */
async function showNotification(message) {
  if (!message) return;
  const { title, body, tag, url, ends, stop } = message;
  const actions = [{ action: "stop", title: stop }];
  await registration.showNotification(title, /** @type {NotificationOptions} */ ({ body, tag, renotify: true, icon: ICON, data: { url, ends }, actions }));
}

addEventListener("notificationclick", (event) => {
  const { url, ends } = /** @type {PushMessage} */ (event.notification.data);
  event.notification.close();
  event.waitUntil(event.action === "stop" ? fetch(`/subscriptions/${ends}/`, { method: "POST" }) : openOrFocus(new URL(url, location.origin)));
});

/** @param {URL} url */
async function openOrFocus(url) {
  if (url.origin !== location.origin) return;
  const open = await clients.matchAll({ type: "window" });
  const client = open.find((each) => new URL(each.url).pathname === url.pathname);
  await (client ? client.focus() : clients.openWindow(url.href));
}
