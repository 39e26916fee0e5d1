/* The list of players at the desk: filters it while typing, and keeps it in place while it updates. */

import { readCodes } from "../../scoring/js/camera.js";
import { fillText, find, findAll, findForm, findInputs, findRequired, findTapped, listen } from "../../scoring/js/browser.js";
import { matchesQuery } from "./name_search.js";

const [search] = findInputs(document, "#player-search");
const unknownName = findForm("#unknown-name");
const findList = () => findRequired(document, "#entries");
const findShownRows = () => findAll(findList(), "li[data-key]:not([hidden])");

function filterRows() {
  if (!search) return;
  const query = search.value.trim();
  for (const row of findAll(findList(), "li[data-key]")) {
    row.hidden = !matchesQuery(row.dataset.key ?? "", row.dataset.number ?? "", query);
  }
  if (!unknownName) return;
  unknownName.hidden = !query || findShownRows().length > 0;
  findRequired(unknownName, "[data-name]").textContent = query;
  findInputs(unknownName, "[name=names]")[0].value = query;
}

/* Enter checks in the only player that is found, but never undoes a check-in. */
function checkInOrFocusFirst() {
  const buttons = findShownRows().flatMap((row) => findInputs(row, ".entry-button"));
  if (buttons.length === 1 && buttons[0].value === "present") buttons[0].click();
  else (buttons[0] ?? (unknownName && find(unknownName, "button")))?.focus();
}

search?.addEventListener("input", filterRows);
search?.form?.addEventListener("submit", (event) => {
  event.preventDefault();
  checkInOrFocusFirst();
});
// After htmx has read the tapped form.
listen("submit", ({ target }) => {
  if (!findList().contains(target) || !search.value) return;
  search.value = "";
  filterRows();
  search.focus();
});

/* The camera checks in players by the codes on their phones. */

const scanner = find(document, "#scanner");
const lastChange = findRequired(document, "#last-change");

/** @param {string} text */
function checkInByCode(text) {
  const number = text.match(new RegExp(`${scanner?.dataset.ownPath}for/(\\d+)/`))?.[1];
  const row = number && find(findList(), `#player-${number}`);
  const [button] = row ? findInputs(row, ".entry-button") : [];
  if (button?.value === "present") button.click();
  else if (row) lastChange.textContent = fillText(scanner?.dataset.doneText, row.dataset.name ?? "");
  else lastChange.textContent = scanner?.dataset.unknownText ?? "";
}

/** @param {HTMLElement} panel */
async function startScanner(panel) {
  const { BarcodeDetector } = await import(panel.dataset.codesUrl ?? "");
  await readCodes(/** @type {HTMLVideoElement} */ (findRequired(panel, "video")), BarcodeDetector, checkInByCode);
  findRequired(panel, "[data-scan]").hidden = true;
}

if (scanner && navigator.mediaDevices) {
  scanner.hidden = false;
  findRequired(scanner, "[data-scan]").onclick = () =>
    startScanner(scanner).catch((error) => {
      console.warn("No camera:", error);
      lastChange.textContent = scanner.dataset.noCameraText ?? "";
    });
}

/* An update waits while a finger is down or a menu is open. */

let isPressed = false;
listen("pointerdown", (event) => (isPressed = Boolean(findTapped(event, "#entries"))));
listen("pointerup pointercancel", () => (isPressed = false));

/** @type {{ id: string, top: number } | null} */
let firstVisible = null;
listen("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id !== "entries") return;
  if (isPressed || find(findList(), "details[open]")) detail.shouldSwap = false;
  const row = findShownRows().find((each) => each.getBoundingClientRect().top >= 0);
  firstVisible = row ? { id: row.id, top: row.getBoundingClientRect().top } : null;
});
listen("htmx:afterSwap", () => {
  filterRows();
  const row = firstVisible && document.getElementById(firstVisible.id);
  if (row && firstVisible) scrollBy(0, row.getBoundingClientRect().top - firstVisible.top);
  firstVisible = null;
});

const lost = findRequired(document, "#connection-lost");
listen("htmx:sendError htmx:timeout htmx:responseError", () => (lost.hidden = false));
listen("htmx:afterRequest", ({ detail }) => {
  if (detail.successful) lost.hidden = true;
});
filterRows();
