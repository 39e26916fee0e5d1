/* Moves a match to another phone without a network, as QR codes that open the import page, or as text to paste. */

import { fillText, find, findRequired, findTapped, listen, onEachPage } from "../browser.js";
import { readCodes } from "../camera.js";
import { newKey } from "../keys.js";
import * as local from "./local_server.js";
import { openPage } from "./pages.js";
import { createEntry } from "./queue.js";
import { enqueue, findMatch, queuedEntries, saveMatch } from "./store.js";
import { sendQueue } from "./sync.js";

const ADDRESS = /^[\w-]{1,22}$/;
const PART = /^#[0-9a-f]{8}\./;
const QUIET_ZONE = 4; // white modules around a code

/** @param {HTMLElement} panel @returns {Promise<typeof import("../codes.js")>} */
const fetchCodes = ({ dataset: { codesUrl = "" } }) => import(codesUrl);

/** @param {QueuedEntry} queued @returns {Entry} */
const withoutQueueState = ({ order, state, faults, ...entry }) => entry;

/** Shows the codes one after the other, and all of them as text.
 * @param {HTMLElement} panel */
async function showCodes(panel) {
  const { createLinks, encodeQR } = await fetchCodes(panel);
  const address = findRequired(document, "#sheet").dataset.address ?? "";
  const held = (await findMatch(address)) ?? null;
  const entries = (await queuedEntries(address)).map(withoutQueueState);
  const links = await createLinks({ address, held, entries }, newKey().slice(0, 8), location.origin);
  let shown = 0;
  const showLink = () => {
    const picture = findRequired(panel, "[data-code]");
    picture.innerHTML = encodeQR(links[shown], "svg", { ecc: "low", border: QUIET_ZONE });
    picture.dataset.link = links[shown];
    findRequired(panel, "[data-code-position]").textContent = fillText(panel.dataset.positionText, shown + 1, links.length);
  };
  const next = findRequired(panel, "[data-next-code]");
  next.hidden = links.length === 1;
  next.onclick = () => {
    shown = (shown + 1) % links.length;
    showLink();
  };
  /** @type {HTMLTextAreaElement} */ (findRequired(panel, "textarea")).value = links.join("\n");
  panel.hidden = false;
  showLink();
  panel.scrollIntoView({ block: "nearest" });
}

/** Imports one part; returns the progress, and the address of the match after the last part. Throws if the text is not a
 * part of a match.
 * @param {HTMLElement} page @param {string} text @returns {Promise<{ address?: string, received: number, count: number }>} */
async function importPart(page, text) {
  const { joinParts, parsePart } = await fetchCodes(page);
  const { id, index, count, chunk } = parsePart(text);
  const storageKey = `bringing.${id}`;
  const chunks = { ...JSON.parse(localStorage.getItem(storageKey) ?? "{}"), [index]: chunk };
  const received = Object.keys(chunks).length;
  if (received < count) {
    localStorage.setItem(storageKey, JSON.stringify(chunks));
    return { received, count };
  }
  const address = await importMatch(await joinParts(chunks, count));
  localStorage.removeItem(storageKey);
  return { address, received, count };
}

/** Stores a match as another phone knew it, and makes this phone the scorer.
 * @param {{ address: string, held?: HeldMatch, entries: QueuedEntry[] }} match */
async function importMatch({ address, held, entries }) {
  if (!ADDRESS.test(address) || !Array.isArray(entries)) throw new Error("no match");
  const known = await findMatch(address);
  if (held?.address === address && (known?.version ?? -1) < held.version) await saveMatch(held);
  for (const entry of entries) await enqueue({ ...withoutQueueState(entry), address });
  await enqueue(createEntry("pen", address));
  if (local.isReady) await local.loadMatches();
  sendQueue();
  return address;
}

/** Imports scanned or pasted texts, and shows the progress.
 * @param {HTMLElement} page @param {string[]} texts */
async function importTexts(page, texts) {
  const status = findRequired(page, "[role=status]");
  try {
    let progress = { received: 0, count: 0 };
    for (const text of texts) progress = await importPart(page, text);
    if ("address" in progress) return openPage(`/m/${progress.address}/`);
    status.textContent = fillText(page.dataset.progressText, progress.received, progress.count);
  } catch (error) {
    console.warn("This is no part of a match:", error);
    status.textContent = page.dataset.invalidText ?? "";
  }
}

/** Reads codes with the camera until the match is complete or the page is left. The camera app may open a link in another
 * browser than the one with the matches.
 * @param {HTMLElement} page */
async function scanCodes(page) {
  const { BarcodeDetector } = await fetchCodes(page);
  const video = /** @type {HTMLVideoElement} */ (findRequired(page, "video"));
  await readCodes(video, BarcodeDetector, (text) => importTexts(page, [text]));
  findRequired(page, "[data-scan]").hidden = true;
}

/** Imports the part in the page's address, scanned codes and pasted text.
 * @param {HTMLElement} page */
function startImport(page) {
  const camera = findRequired(page, "[data-scan]");
  camera.hidden = !navigator.mediaDevices;
  camera.onclick = () =>
    scanCodes(page).catch((error) => {
      console.warn("No camera:", error);
      camera.hidden = true;
      findRequired(page, "[role=status]").textContent = page.dataset.noCameraText ?? "";
    });
  findRequired(page, "form").onsubmit = (event) => {
    event.preventDefault();
    importTexts(page, /** @type {HTMLTextAreaElement} */ (findRequired(page, "textarea")).value.trim().split(/\s+/));
  };
  const { hash } = location;
  if (!PART.test(hash)) return;
  history.replaceState({}, "", location.pathname);
  importTexts(page, [hash]);
}

const showTransfer = onEachPage("tricky:drawn", () => {
  const page = find(document, "[data-match-import]");
  if (page) startImport(page);
  const button = find(document, "[data-export-button]");
  button?.removeAttribute("hidden");
  // From the menu of the match on Home.
  if (location.hash === "#move") button?.click();
});
addEventListener("hashchange", showTransfer);
listen("click", (event) => {
  if (findTapped(event, "[data-export-button]")) showCodes(findRequired(document, "[data-codes-url]")).catch((error) => console.warn("No codes:", error));
});
