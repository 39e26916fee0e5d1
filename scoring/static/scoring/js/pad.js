/* A sheet that follows by itself, and what needs scripts or none. */

for (const element of document.querySelectorAll("[data-no-script]")) element.hidden = true;

/* What this phone sends carries a key that it made itself, so that sending it twice is
   harmless. (crypto.randomUUID would want https, which a club's network rarely has.) */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
const makeKeys = () => document.querySelectorAll('input[name="key"]').forEach((input) => (input.value = newKey()));
makeKeys();
document.addEventListener("htmx:afterSwap", makeKeys);

/* Asks for the sheet while the page is seen: quickly after a change, slower later. */
function startLive(live) {
  const connection = document.getElementById("connection");
  let changed = Date.now();
  let timer = 0;
  let heard = new Date();

  const pause = () => {
    const quiet = Date.now() - changed;
    const base = quiet < 300000 ? 1200 : quiet < 1800000 ? 5000 : 15000;
    return base * (0.9 + Math.random() * 0.2);
  };
  const ask = () => {
    clearTimeout(timer);
    if (document.hidden) return;
    window.htmx.trigger(live, "poll");
    timer = setTimeout(ask, pause());
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
    window.addEventListener(wakes, ask);
  }
  document.addEventListener("visibilitychange", ask);
  ask();
}

const live = document.querySelector("[data-live]");
if (live) startLive(live);
const menu = document.querySelector("a.menu");
menu?.addEventListener("click", () => (document.querySelector(menu.hash).open = true));

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
document.addEventListener("htmx:afterSwap", offerShare);
offerShare();
