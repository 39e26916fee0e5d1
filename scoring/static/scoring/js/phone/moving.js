/* A match moves to another phone without a network: what this one knows of it, compressed,
   as QR codes that open the page where the other takes it over, or as text to be pasted. */

import { newKey, phoneName } from "../keys.js";
import { heldMatch, holdMatch, keep, waiting } from "./kept.js";
import * as local from "./local.js";
import { drain } from "./outbox.js";
import { go } from "./pages.js";

const CHUNK = 700; // signs of the match in one code, so that cameras of old phones read it
const PART = /([0-9a-f]{8})\.(\d{1,2})\.(\d{1,2})\.([\w-]+)\s*$/;
const ADDRESS = /^[\w-]{1,22}$/;
const QUIET = 4; // modules that have to be white around a code
const SHARP = { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 960 } };
const TURN = 150; // milliseconds between two looks of the camera

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

const toText = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));

/* Returns the links that together are the match, what waits to be sent included. */
export async function partsOf(address) {
  const held = (await heldMatch(address)) ?? null;
  const entries = (await waiting(address)).map(({ order, state, faults, ...entry }) => entry);
  const told = new TextEncoder().encode(JSON.stringify({ address, held, entries }));
  const text = toText(await through(told, new CompressionStream("deflate-raw")));
  const chunks = text.match(new RegExp(`.{1,${CHUNK}}`, "g"));
  const id = newKey().slice(0, 8);
  return chunks.map((chunk, index) => `${location.origin}/pad/bring/#${id}.${index + 1}.${chunks.length}.${chunk}`);
}

/* Takes one part; returns { address } of the match where that was the last one, else how
   many of how many are there. Throws for what is no part of a match. */
export async function take(text) {
  const [, id, index, count, chunk] = text.match(PART) ?? [];
  if (!id || Number(index) < 1 || Number(index) > Number(count)) throw new Error("no part of a match");
  const place = `bringing.${id}`;
  const parts = { ...JSON.parse(localStorage.getItem(place) ?? "{}"), [index]: chunk };
  const there = Object.keys(parts).length;
  if (there < Number(count)) {
    localStorage.setItem(place, JSON.stringify(parts));
    return { there, count: Number(count) };
  }
  const whole = Array.from({ length: Number(count) }, (_, part) => parts[part + 1]).join("");
  const address = await bring(await through(toBytes(whole), new DecompressionStream("deflate-raw")));
  localStorage.removeItem(place);
  return { address };
}

/* Keeps a match as another phone knew it; from here on this one writes. */
async function bring(bytes) {
  const { address, held, entries } = JSON.parse(new TextDecoder().decode(bytes));
  if (!ADDRESS.test(address) || !Array.isArray(entries)) throw new Error("no match");
  const known = await heldMatch(address);
  if (held?.address === address && (known?.version ?? -1) < held.version) await holdMatch(held);
  for (const { order, state, faults, ...entry } of entries) await keep({ ...entry, address });
  await keep({ key: newKey(), kind: "pen", address, phone: phoneName(), entered_at: new Date().toISOString() });
  if (local.ready) await local.hold();
  drain();
  return address;
}

/* Shows the codes one after the other, and the text of all of them. */
async function handOver(panel) {
  const { encodeQR } = await import("../../vendor/qr-0.7.0/index.js");
  const parts = await partsOf(document.getElementById("sheet").dataset.address);
  let shown = 0;
  const show = () => {
    const picture = panel.querySelector("[data-code]");
    picture.innerHTML = encodeQR(parts[shown], "svg", { ecc: "low", border: QUIET });
    picture.dataset.part = parts[shown];
    panel.querySelector("[data-which]").textContent = panel.dataset.which.replace("%s", shown + 1).replace("%s", parts.length);
  };
  panel.querySelector("[data-next]").hidden = parts.length === 1;
  panel.querySelector("[data-next]").onclick = () => {
    shown = (shown + 1) % parts.length;
    show();
  };
  panel.querySelector("textarea").value = parts.join("\n");
  panel.hidden = false;
  show();
}

/* Takes what was scanned or pasted, and says how far it is. */
async function receive(page, texts) {
  const says = page.querySelector("[role=status]");
  try {
    let became = {};
    for (const text of texts) became = await take(text);
    if (became.address) return go(`/m/${became.address}/`);
    says.textContent = page.dataset.part.replace("%s", became.there).replace("%s", became.count);
  } catch (error) {
    console.warn("This is no part of a match:", error);
    says.textContent = page.dataset.wrong;
  }
}

/* Reads codes by the camera until the match is there or the page is left. The reader comes
   along, because hardly any browser has one, and the camera app of a phone may open a link in
   another browser than the one that keeps the matches. */
async function scan(page) {
  const { BarcodeDetector } = await import("../../vendor/qr-0.7.0/decode.js");
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  const video = page.querySelector("video");
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: SHARP });
  video.hidden = false;
  page.querySelector("[data-scan]").hidden = true;
  await video.play();
  const seen = new Set();
  const look = async () => {
    if (!video.isConnected) return video.srcObject.getTracks().forEach((track) => track.stop());
    const [code] = await detector.detect(video);
    if (code && !seen.has(code.rawValue)) await receive(page, [code.rawValue]);
    if (code) seen.add(code.rawValue);
    return setTimeout(look, TURN);
  };
  look();
}

/* Says that this phone has no camera for the page, which leaves its camera app and the text. */
function blind(page, error) {
  console.warn("No camera:", error);
  page.querySelector("[data-scan]").hidden = true;
  page.querySelector("[role=status]").textContent = page.dataset.blind;
}

function show() {
  const canMove = "CompressionStream" in window;
  const button = document.querySelector("[data-hand-over]");
  if (button && canMove) button.hidden = false;
  const page = document.querySelector("[data-bring]");
  if (!page) return;
  const camera = page.querySelector("[data-scan]");
  camera.hidden = !navigator.mediaDevices;
  camera.onclick = () => scan(page).catch((error) => blind(page, error));
  page.querySelector("form").onsubmit = (event) => {
    event.preventDefault();
    receive(page, page.querySelector("textarea").value.trim().split(/\s+/));
  };
  if (!PART.test(location.hash)) return;
  const part = location.hash;
  history.replaceState({}, "", location.pathname);
  receive(page, [part]);
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-hand-over]")) return;
  handOver(document.querySelector("[data-codes]")).catch((error) => console.warn("No codes:", error));
});
document.addEventListener("tricky:drawn", show);
addEventListener("hashchange", show);
show();
