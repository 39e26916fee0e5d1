/* Which pages are the scorepad's, by their addresses. */

const SCOREPAD = /^\/($|matches\/new\/$|pad\/(bring\/)?$|who-won\/|how-to-play\/|m\/)/;
const CORRECTION = /\/(correct|\d+\/tricks)\/$/;
const FILE = /\.(svg|json|png)$/;

/** What has the address of a page. @typedef {{ pathname: string, search: string }} Place */

/** Whether an address is that of a file, which no page may replace.
 * @param {URL} url */
export const isFile = ({ pathname }) => FILE.test(pathname);

/** Whether a page can be drawn into this one.
 * @param {URL} url @param {string} [origin] */
export const isScorepadPage = (url, origin = location.origin) => url.origin === origin && SCOREPAD.test(url.pathname) && !isFile(url);

/** Whether a page corrects a hand: it shows the hand as it is now, and is useless later.
 * @param {Place} place */
export const isCorrection = ({ pathname }) => CORRECTION.test(pathname);

/** Returns where a hand is corrected, in the way in which it was entered.
 * @param {Entry} entry */
export const correctionPath = ({ address, number, body }) =>
  `/m/${address}/hands/${number}/${body && "played" in body ? "tricks" : "correct"}/`;

/** Returns the address of the match that a page is of.
 * @param {{ pathname: string }} place */
export const matchAddress = ({ pathname }) => pathname.match(/^\/m\/([^/]+)\//)?.[1];

/** Returns a page without its part: going to a part of it is going nowhere.
 * @param {Place} place */
export const pathOf = ({ pathname, search }) => pathname + search;

/** Returns where this page is. */
export const currentUrl = () => new URL(location.href);

/** Returns where a link or a form of this page leads.
 * @param {{ toString(): string }} to */
export const toUrl = (to) => new URL(String(to), location.href);
