/* Menus open without scripts. This closes them as people expect. */

import { find, findAll, findRequired, listen } from "./browser.js";

const OPEN = ":is(.page-menu, .item-menu)[open]";

/** Closes all open menus but the one that contains an element.
 * @param {Element | null} [around] @returns {boolean} whether any was open */
function closeMenus(around = null) {
  const open = findAll(document, OPEN).filter((menu) => !around || !menu.contains(around));
  for (const menu of open) menu.removeAttribute("open");
  return open.length > 0;
}

/** Closes menus on Escape, and when another element is tapped or focused. A link to a part of the page closes its menu
 * and opens that part. */
export function startMenu() {
  listen("keydown", ({ key }) => {
    const menu = find(document, OPEN);
    if (key !== "Escape" || !menu) return;
    closeMenus();
    findRequired(menu, "summary").focus();
  });
  listen("focusin pointerdown", ({ target }) => closeMenus(target instanceof Element ? target : null));
  listen("click", ({ target }) => {
    const link = target instanceof Element && target.closest(".page-menu a");
    if (!link) return;
    closeMenus();
    const hash = new URL(/** @type {HTMLAnchorElement} */ (link).href).hash;
    if (hash) find(document, hash)?.closest("details")?.setAttribute("open", "");
  });
  // So that the menu is closed when somebody comes back to the page.
  addEventListener("pagehide", () => closeMenus());
}
