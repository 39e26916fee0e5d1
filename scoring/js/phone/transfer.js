/* A match moves to another phone without a network: what this one knows of it, compressed,
   as QR codes that open the page where the other takes it over, or as text to be pasted. */

import { find, findRequired, findTapped } from "../dom.js";
import { newKey } from "../keys.js";
import * as local from "./local_server.js";
import { openPage } from "./pages.js";
import { decodeBytes, encodeBytes, isTransferPart, joinParts, parsePart, splitIntoLinks } from "./parts.js";
import { createEntry } from "./queue.js";
import { enqueue, findMatch, queuedEntries, saveMatch } from "./store.js";
import { sendQueue } from "./sync.js";

const ADDRESS = /^[\w-]{1,22}$/;
const QUIET_ZONE = 4; // modules that have to be white around a code
const CAMERA = { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 960 } };
const SCAN_PAUSE = 150; // milliseconds between two looks of the camera

/** @param {Uint8Array} bytes @param {CompressionStream | DecompressionStream} stream */
async function pipeThrough(bytes, stream) {
  const blob = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)]);
  return new Uint8Array(await new Response(blob.stream().pipeThrough(stream)).arrayBuffer());
}

/** What is carried of an entry: not where and how it lay in the outbox.
 * @param {QueuedEntry} queued @returns {Entry} */
const withoutQueueState = ({ order, state, faults, ...entry }) => entry;

/** Returns the links that together are the match, what waits to be sent included.
 * @param {string} address */
async function exportLinks(address) {
  const held = (await findMatch(address)) ?? null;
  const entries = (await queuedEntries(address)).map(withoutQueueState);
  const match = new TextEncoder().encode(JSON.stringify({ address, held, entries }));
  return splitIntoLinks(encodeBytes(await pipeThrough(match, new CompressionStream("deflate-raw"))), newKey().slice(0, 8), location.origin);
}

/** Takes one part; returns the `address` of the match where that was the last one, else how
 * many of how many are there. Throws for what is no part of a match.
 * @param {string} text @returns {Promise<{ address?: string, there: number, count: number }>} */
async function importPart(text) {
  const { id, index, count, chunk } = parsePart(text);
  const place = `bringing.${id}`;
  const chunks = { ...JSON.parse(localStorage.getItem(place) ?? "{}"), [index]: chunk };
  const there = Object.keys(chunks).length;
  if (there < count) {
    localStorage.setItem(place, JSON.stringify(chunks));
    return { there, count };
  }
  const address = await importMatch(await pipeThrough(decodeBytes(joinParts(chunks, count)), new DecompressionStream("deflate-raw")));
  localStorage.removeItem(place);
  return { address, there, count };
}

/** Keeps a match as another phone knew it; from here on this one writes.
 * @param {Uint8Array} bytes @returns {Promise<string>} */
async function importMatch(bytes) {
  const { address, held, entries } = JSON.parse(new TextDecoder().decode(bytes));
  if (!ADDRESS.test(address) || !Array.isArray(entries)) throw new Error("no match");
  const known = await findMatch(address);
  if (held?.address === address && (known?.version ?? -1) < held.version) await saveMatch(held);
  for (const entry of entries) await enqueue({ ...withoutQueueState(entry), address });
  await enqueue(createEntry("pen", address));
  if (local.isReady) await local.loadMatches();
  sendQueue();
  return address;
}

/* The library for codes is loaded only when it is needed. */
/** @param {HTMLElement} place @returns {Promise<typeof import("../codes.js")>} */
const fetchCodes = ({ dataset: { codes = "" } }) => import(codes);

/** Shows the codes one after the other, and the text of all of them.
 * @param {HTMLElement} panel */
async function showCodes(panel) {
  const { encodeQR } = await fetchCodes(panel);
  const parts = await exportLinks(findRequired(document, "#sheet").dataset.address ?? "");
  let shown = 0;
  const showPart = () => {
    const picture = findRequired(panel, "[data-code]");
    picture.innerHTML = encodeQR(parts[shown], "svg", { ecc: "low", border: QUIET_ZONE });
    picture.dataset.part = parts[shown];
    const which = (panel.dataset.which ?? "").replace("%s", String(shown + 1));
    findRequired(panel, "[data-which]").textContent = which.replace("%s", String(parts.length));
  };
  const next = findRequired(panel, "[data-next]");
  next.hidden = parts.length === 1;
  next.onclick = () => {
    shown = (shown + 1) % parts.length;
    showPart();
  };
  /** @type {HTMLTextAreaElement} */ (findRequired(panel, "textarea")).value = parts.join("\n");
  panel.hidden = false;
  showPart();
}

/** Takes what was scanned or pasted, and says how far it is.
 * @param {HTMLElement} page @param {string[]} texts */
async function importTexts(page, texts) {
  const says = findRequired(page, "[role=status]");
  try {
    let taken = { there: 0, count: 0 };
    for (const text of texts) taken = await importPart(text);
    if ("address" in taken) return openPage(`/m/${taken.address}/`);
    says.textContent = (page.dataset.part ?? "").replace("%s", String(taken.there)).replace("%s", String(taken.count));
  } catch (error) {
    console.warn("This is no part of a match:", error);
    says.textContent = page.dataset.wrong ?? "";
  }
}

/** Reads codes by the camera until the match is there or the page is left. The reader comes
 * along, because hardly any browser has one, and the camera app of a phone may open a link in
 * another browser than the one that keeps the matches.
 * @param {HTMLElement} page */
async function scanCodes(page) {
  const { BarcodeDetector } = await fetchCodes(page);
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  const video = /** @type {HTMLVideoElement} */ (findRequired(page, "video"));
  const camera = await navigator.mediaDevices.getUserMedia({ video: CAMERA });
  video.srcObject = camera;
  video.hidden = false;
  findRequired(page, "[data-scan]").hidden = true;
  await video.play();
  const seen = new Set();
  const look = async () => {
    if (!video.isConnected) return camera.getTracks().forEach((track) => track.stop());
    const [code] = await detector.detect(video);
    if (code && !seen.has(code.rawValue)) await importTexts(page, [code.rawValue]);
    if (code) seen.add(code.rawValue);
    setTimeout(look, SCAN_PAUSE);
  };
  look();
}

/** Says that this phone has no camera for the page, which leaves its camera app and the text.
 * @param {HTMLElement} page @param {Error} error */
function showNoCamera(page, error) {
  console.warn("No camera:", error);
  findRequired(page, "[data-scan]").hidden = true;
  findRequired(page, "[role=status]").textContent = page.dataset.blind ?? "";
}

function showTransfer() {
  const page = find(document, "[data-bring]");
  if (page) startImport(page);
  const button = find(document, "[data-hand-over]");
  if (button && "CompressionStream" in window) button.hidden = false;
}

/** @param {Event} event */
function handleExport(event) {
  if (findTapped(event, "[data-hand-over]")) showCodes(findRequired(document, "[data-codes]")).catch((error) => console.warn("No codes:", error));
}

/** Takes what the page's address carries, what is scanned and what is pasted.
 * @param {HTMLElement} page */
function startImport(page) {
  const camera = findRequired(page, "[data-scan]");
  camera.hidden = !navigator.mediaDevices;
  camera.onclick = () => scanCodes(page).catch((error) => showNoCamera(page, error));
  findRequired(page, "form").onsubmit = (event) => {
    event.preventDefault();
    importTexts(page, /** @type {HTMLTextAreaElement} */ (findRequired(page, "textarea")).value.trim().split(/\s+/));
  };
  if (!isTransferPart(location.hash)) return;
  const part = location.hash;
  history.replaceState({}, "", location.pathname);
  importTexts(page, [part]);
}

document.addEventListener("tricky:drawn", showTransfer);
document.addEventListener("click", handleExport);
addEventListener("hashchange", showTransfer);
showTransfer();
