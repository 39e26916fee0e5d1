/* What a page looks like stays with it: only what is new is fetched. */

const PATIENCE = 2000; // milliseconds after which a page is shown without what it still lacks

/** What was asked for, until it has come or failed. @type {Set<Promise<unknown>>} */
const arriving = new Set();

/** @param {Document} page @returns {HTMLLinkElement[]} */
const sheetsOf = (page) => [...page.head.querySelectorAll(/** @type {"link"} */ ("link[rel=stylesheet]"))];

/** @param {HTMLLinkElement} link */
function add(link) {
  const settled = new Promise((resolve) => {
    for (const news of ["load", "error"]) link.addEventListener(news, resolve, { once: true });
  });
  // What failed is asked for again by the next page that wants it.
  link.addEventListener("error", () => link.remove());
  arriving.add(settled);
  settled.then(() => arriving.delete(settled));
  document.head.append(link);
}

/** Fetches what a page needs beside the styles that are here; resolves once it can be shown with them, or
 * has waited long enough.
 * @param {Document} page @returns {Promise<unknown>} */
export function fetchStyles(page) {
  const known = new Set(sheetsOf(document).map((link) => link.getAttribute("href")));
  for (const link of sheetsOf(page)) if (!known.has(link.getAttribute("href"))) add(link);
  if (!arriving.size) return Promise.resolve();
  return Promise.race([Promise.all(arriving), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
}
