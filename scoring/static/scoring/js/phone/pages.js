/* Pages of the scorepad without leaving this one, so that the server in it lives on.

   A page comes from the network or, where that is away, from this phone. */

import { going } from "./kept.js";
import * as local from "./local.js";

const PATIENCE = 3000;
const PAD = /^\/($|matches\/new\/$|pad\/(bring\/)?$|who-won\/|how-to-play\/|m\/)/;
const CORRECTION = /\/correct\/$/;
const WHOLE = /\.(svg|json)$/;

export const isPad = (url) => url.origin === location.origin && PAD.test(url.pathname) && !WHOLE.test(url.pathname);

/* Whether the network was away when it was last asked. */
export let away = false;

function setAway(value) {
  const isBack = away && !value;
  away = value;
  document.documentElement.toggleAttribute("data-away", value);
  // One that could not start is tried again with the network, or when a page wants it.
  if (value && !local.hasFailed) local.begin().catch(() => {});
  if (isBack) document.dispatchEvent(new CustomEvent("tricky:back"));
}

/* Returns a page of the server as { url, text }; throws where it cannot be had. */
async function fromServer(url, options = {}) {
  try {
    const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(PATIENCE) });
    const isOurs = answer.headers.get("Content-Type")?.startsWith("text/html") && answer.headers.has("X-Tricky");
    if (!isOurs || answer.status >= 500) throw new Error(`no page of ours: ${answer.status}`);
    setAway(false);
    const page = { url: new URL(answer.url), text: await answer.text(), isGood: answer.ok };
    if (answer.ok && !options.method) keepPage(page).catch(() => {});
    return page;
  } catch (error) {
    setAway(true);
    throw error;
  }
}

/* Pages that were seen are there at once, while this phone's own server starts. */
const PAGES = "tricky-pages";
const MOST_PAGES = 60;

async function keepPage({ url, text }) {
  // What a question mark asks for is no other time what is wanted, nor is what stood at a
  // hand before it was corrected.
  if (!window.caches || url.search || CORRECTION.test(url.pathname)) return;
  const pages = await caches.open(PAGES);
  await pages.delete(url.pathname);
  await pages.put(url.pathname, new Response(text, { headers: { "Content-Type": "text/html; charset=utf-8", "X-Tricky": "1" } }));
  for (const old of (await pages.keys()).slice(0, -MOST_PAGES)) await pages.delete(old);
}

async function keptPage(url) {
  const page = (await window.caches?.match(url.pathname)) ?? (await window.caches?.match("/pad/", { ignoreVary: true }));
  return page && { url, text: await page.text() };
}

/* Keeps a page that will be wanted; one that cannot be had now is kept another time. */
export const keepAhead = (to) => away || fromServer(new URL(to, location)).then(keepPage).catch(() => {});

/* Returns a page of this phone, redirections followed. */
async function fromPhone(url, method = "GET", fields = {}) {
  const { status, location: to, text, held } = await local.answer(method, url.pathname + url.search, fields);
  if (status === 301 || status === 302) return fromPhone(new URL(to, url));
  return { url, text, held, isGood: status === 200 };
}

/* Where the page that is shown came from: going to a part of it is going nowhere. */
const placeOf = ({ pathname, search }) => pathname + search;
let shown = placeOf(location);

/* Puts a page in the place of this one. One that this phone drew tells on which version of the
   server's it stands: that in its forms counts what only this phone has. */
export function draw({ url, text, held }, { remember = true } = {}) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const root = document.documentElement;
  if (held === undefined) delete root.dataset.held;
  else root.dataset.held = held;
  if (remember && url.href !== location.href) history.pushState({}, "", url);
  shown = placeOf(url);
  document.title = page.title;
  const sheets = new Set([...document.head.querySelectorAll("link[rel=stylesheet]")].map((link) => link.getAttribute("href")));
  const wanted = [...page.head.querySelectorAll("link[rel=stylesheet]")];
  const fresh = wanted.filter((link) => !sheets.has(link.getAttribute("href")));
  document.head.append(...fresh);
  document.body.replaceChildren(...page.body.childNodes);
  scrollTo(0, 0);
  window.htmx?.process(document.body);
  document.dispatchEvent(new CustomEvent("tricky:drawn"));
  document.getElementById("main")?.focus({ preventScroll: true });
}

export const addressOf = (url) => url.pathname.match(/^\/m\/([^/]+)\//)?.[1];

/* Whether this phone knows more of a page's match than the server does, and can draw it. What is to
   be corrected is worth waiting for: the server's page shows what was corrected since. */
async function isOurs(url) {
  const address = addressOf(url);
  if (!address || !(await going(address)).length) return false;
  return local.ready || (CORRECTION.test(url.pathname) && local.begin().then(() => true, () => false));
}

/* Only the page that was asked for last is drawn, however late another arrives. One that
   `yields` was asked for by nobody: it is not drawn while another is under way. */
let asked = 0;
let drawn = 0;

async function drawFrom(find, { remember, yields = false } = {}) {
  if (yields && drawn !== asked) return false;
  const mine = yields ? asked : (asked += 1);
  try {
    const page = await find();
    if (mine !== asked) return false;
    drawn = mine;
    draw(page, { remember });
    return page;
  } finally {
    if (mine === asked) drawn = mine;
  }
}

/* Goes to a page: the network's, or else this phone's. `alone` asks only the phone.
   Returns the page where it was drawn. */
export const go = (to, { remember, alone = false, yields } = {}) =>
  drawFrom(() => pageAt(new URL(to, location), alone), { remember, yields });

async function pageAt(url, alone) {
  try {
    if (alone || away || (await isOurs(url))) throw new Error("the server does not know");
    return await fromServer(url);
  } catch {
    if (local.ready) return fromPhone(url);
    // Drawn once more by whoever hears that this phone's own server is there.
    local.begin().catch(() => {});
    const page = await keptPage(url);
    if (!page) throw new Error("nothing is kept of this page");
    return page;
  }
}

/* Sends a form to the network or, where that is away and nothing has to be sent later, to
   this phone; draws the answer, and returns it where it did. What is changed `here` alone
   would be lost. */
export const post = (to, fields, { here = true } = {}) => drawFrom(() => pageAfter(new URL(to, location), fields, here));

async function pageAfter(url, fields, here) {
  try {
    if (here && (await isOurs(url))) throw new Error("the server does not know");
    // Whoever cleared the cookies gets another with any page.
    if (!token()) await fromServer(new URL("/pad/", location));
    const body = new URLSearchParams();
    const said = { ...fields, csrfmiddlewaretoken: token() };
    for (const [name, values] of Object.entries(said)) for (const value of [values].flat()) body.append(name, value);
    return await fromServer(url, { method: "POST", body });
  } catch (error) {
    if (!here) throw error;
    await local.begin();
    return fromPhone(url, "POST", fields);
  }
}

/* Draws a page that is there, unless another is under way. */
export const drawMeanwhile = (find) => drawFrom(find, { remember: false, yields: true });

export { fromPhone };

/* A page that was kept may carry a token of long ago; the cookie has the one that holds. */
const token = () => document.cookie.match(/csrftoken=([^;]+)/)?.[1] ?? "";

/* Links within the scorepad draw the next page here. */
export function startPages() {
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (!token()) return;
    detail.headers["X-CSRFToken"] = token();
    if (detail.formData.has("csrfmiddlewaretoken")) detail.formData.set("csrfmiddlewaretoken", token());
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.defaultPrevented || link.download || link.target) return;
    const url = new URL(link.href, location);
    if (!isPad(url) || (url.pathname === location.pathname && url.hash)) return;
    event.preventDefault();
    go(url).catch(() => location.assign(url));
  });
  document.addEventListener("submit", (event) => {
    const { target: form } = event;
    const url = new URL(form.action, location);
    if (event.defaultPrevented || form.method !== "get" || !isPad(url)) return;
    event.preventDefault();
    url.search = new URLSearchParams(new FormData(form));
    go(url).catch(() => location.assign(url));
  });
  addEventListener("popstate", () => shown !== placeOf(location) && isPad(new URL(location)) && go(location, { remember: false }).catch(() => location.reload()));
  const see = () => fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) })
    .then((answer) => setAway(!answer.ok || !answer.headers.has("X-Tricky")), () => setAway(true));
  addEventListener("online", see);
  document.addEventListener("tricky:outbox", see);
  setInterval(() => away && !document.hidden && see(), 5000);
  return see();
}
