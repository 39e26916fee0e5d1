/* Addresses of pages, and which of them belong to the scorepad. */

const SCOREPAD = /^\/($|matches\/new\/$|pad\/(bring\/)?$|who-won\/|how-to-play\/|you\/$|m\/)/;
const CORRECTION = /\/(correct|\d+\/tricks)\/$/;
const FILE = /\.(svg|json|png)$/;

/** A URL or a location. @typedef {{ pathname: string, search: string }} Place */

/** Whether an address is a file, which no page may replace.
 * @param {URL} url */
export const isFile = ({ pathname }) => FILE.test(pathname);

/** Whether a page can be drawn into this one.
 * @param {URL} url @param {string} [origin] */
export const isScorepadPage = (url, origin = location.origin) => url.origin === origin && SCOREPAD.test(url.pathname) && !isFile(url);

/** Whether a page corrects a hand. It must not be cached, because it shows the hand as it is now.
 * @param {Place} place */
export const isCorrection = ({ pathname }) => CORRECTION.test(pathname);

/** Returns the path of the form that corrects a hand: the one that it was entered in.
 * @param {Entry} entry */
export const correctionPath = ({ address, number, body }) =>
  `/m/${address}/hands/${number}/${body && "played" in body ? "tricks" : "correct"}/`;

/** Returns the address of the match that a page belongs to.
 * @param {{ pathname: string }} place */
export const matchAddress = ({ pathname }) => pathname.match(/^\/m\/([^/]+)\//)?.[1];

/** Returns the path without the hash, because a link to a part of the page loads nothing.
 * @param {Place} place */
export const pathOf = ({ pathname, search }) => pathname + search;

export const currentUrl = () => new URL(location.href);

/** @param {{ toString(): string }} to */
export const toUrl = (to) => new URL(String(to), location.href);
