/* Notifications, in the words of the server. */

const ICON = "/static/scoring/icons/tricky-192.png";

addEventListener("push", (event) => event.waitUntil(showNotification(event.data?.json())));

/** What the server sends. @typedef {{ title: string, body: string, url: string, tag: string, stop: string, ends: string }} Told */

/** @param {Told | undefined} told */
async function showNotification(told) {
  if (!told) return;
  const { title, body, tag, url, ends, stop } = told;
  const actions = [{ action: "stop", title: stop }];
  await registration.showNotification(title, /** @type {NotificationOptions} */ ({ body, tag, renotify: true, icon: ICON, data: { url, ends }, actions }));
}

addEventListener("notificationclick", (event) => {
  const { url, ends } = /** @type {Told} */ (event.notification.data);
  event.notification.close();
  event.waitUntil(event.action === "stop" ? fetch(`/subscriptions/${ends}/`, { method: "POST" }) : openOrFocus(new URL(url, location.origin)));
});

/** @param {URL} to */
async function openOrFocus(to) {
  if (to.origin !== location.origin) return;
  const open = await clients.matchAll({ type: "window" });
  const there = open.find((client) => new URL(client.url).pathname === to.pathname);
  await (there ? there.focus() : clients.openWindow(to.href));
}
