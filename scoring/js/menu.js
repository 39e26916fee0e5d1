/* The menu of a page, or of a table, opens by itself; here it goes away again as people expect of menus. */

import { find, findAll, findRequired } from "./dom.js";

const OPEN = ":is(.page-menu, .item-menu)[open]";

/** Closes every menu that is open, but for the one around an element.
 * @param {Element | null} [around] @returns {boolean} whether any was */
function close(around = null) {
  const open = findAll(document, OPEN).filter((menu) => !around || !menu.contains(around));
  for (const menu of open) menu.removeAttribute("open");
  return open.length > 0;
}

/** Closes menus on Escape, and when something else is tapped or reached by keys; a way to a part of the same page
 * closes its menu as well, and opens the part. */
export function startMenu() {
  document.addEventListener("keydown", ({ key }) => {
    const menu = find(document, OPEN);
    if (key !== "Escape" || !menu) return;
    close();
    findRequired(menu, "summary").focus();
  });
  for (const happening of ["focusin", "pointerdown"]) {
    document.addEventListener(happening, ({ target }) => close(target instanceof Element ? target : null));
  }
  document.addEventListener("click", ({ target }) => {
    const way = target instanceof Element && target.closest(".page-menu a");
    if (!way) return;
    close();
    const hash = new URL(/** @type {HTMLAnchorElement} */ (way).href).hash;
    if (hash) find(document, hash)?.closest("details")?.setAttribute("open", "");
  });
  // Whoever comes back to a page finds it as it was before its menu.
  addEventListener("pagehide", () => close());
}
