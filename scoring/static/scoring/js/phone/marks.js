/* Says truthfully what is saved where: a mark at each hand, a line above the page. */

import { change, releaseKey, waiting } from "./kept.js";
import * as local from "./local.js";
import { drain } from "./outbox.js";
import { addressOf, away, go } from "./pages.js";
import { isMendable, mend } from "./saving.js";

const say = (words, number) => words.replace("%s", number);

async function mark() {
  const all = await waiting();
  const region = document.getElementById("kept");
  if (!region) return;
  const words = region.dataset;
  // What is being saved or corrected just now is the form's to show.
  const refused = document.querySelector("form[data-keep][aria-busy]") ? new Map() : refusedOf(all);
  const mended = document.querySelector("form[data-mends]")?.dataset.mends;
  const shown = [...refused].filter(([{ key }]) => key !== mended);
  const here = all.filter((entry) => entry.address === addressOf(location));
  const stateOf = (entry) => entry.state ?? (refused.has(entry) ? "refused" : "kept");
  markHands(new Map(here.map((entry) => [entry.number, stateOf(entry)])), words);
  const going = all.length - refused.size;
  const line = !going ? "" : say(going === 1 ? words.one : words.many, going);
  const unscored = going && !local.ready && away ? ` ${words.unscored}` : "";
  // Said once: whoever hears it, or is about to tap on it, is not to be disturbed.
  const told = JSON.stringify([line, unscored, shown.map(([{ key }, faults]) => [key, faults])]);
  if (told === words.told) return;
  words.told = told;
  const lines = line ? [paragraph(line + unscored)] : [];
  region.replaceChildren(...lines, ...shown.map(([entry, faults]) => refusal(entry, faults, words)));
}

/* Returns what was refused with its faults: by the server or, while the network is away, the first
   of each match by this phone; what comes after that one cannot be judged. */
function refusedOf(all) {
  const refused = new Map();
  const judged = new Set();
  for (const entry of all) {
    const { status, faults, isBehind } = (away && local.judged(entry)) || {};
    if (entry.state) refused.set(entry, entry.faults ?? []);
    else if (status === 422 && !isBehind && !judged.has(entry.address)) refused.set(entry, faults);
    if (entry.state || status === 422) judged.add(entry.address);
  }
  return refused;
}

function markHands(states, words) {
  for (const row of document.querySelectorAll("tr[data-hand]")) {
    const state = states.get(Number(row.dataset.hand)) ?? "saved";
    const place = row.querySelector("[data-mark]");
    place.dataset.mark = state;
    place.title = words[`mark${state[0].toUpperCase()}${state.slice(1)}`];
    place.innerHTML = `<span aria-hidden="true"></span><span class="unseen"></span>`;
    place.firstChild.textContent = { saved: "✓✓", kept: "✓", refused: "!", gone: "!" }[state];
    place.lastChild.textContent = place.title;
  }
}

function paragraph(words) {
  const line = document.createElement("p");
  line.textContent = words;
  return line;
}

/* What was refused, and the ways out: correct it, try again, or let it go. */
function refusal(entry, faults, words) {
  const title = entry.number ? say(words.refused, entry.number) : words.refusedOther;
  const line = paragraph([title, ...faults.map((fault) => fault.message), ""].join(" "));
  line.className = "refusal";
  if (entry.address !== addressOf(location)) line.append(link(`/m/${entry.address}/`, words.itsMatch));
  if (isMendable(entry)) line.append(button(words.mend, () => mend(entry)));
  if (entry.state) line.append(button(words.again, () => sendAgain(entry)));
  line.append(button(words.discard, () => discard(entry, words)));
  return line;
}

function link(to, words) {
  const made = document.createElement("a");
  made.href = to;
  made.textContent = words;
  return made;
}

function button(words, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.addEventListener("click", () => act().catch((error) => console.warn("Not done:", error)));
  return made;
}

async function sendAgain({ state, faults, ...entry }) {
  await change(entry);
  await drain();
  await mark();
}

async function discard(entry, words) {
  if (!confirm(entry.number ? say(words.sure, entry.number) : words.sureOther)) return;
  await releaseKey(entry.key);
  await drain();
  // What the page shows may be of this phone alone: it is asked for anew.
  document.dispatchEvent(new CustomEvent("tricky:outbox"));
  await go(location, { remember: false, yields: true });
}

export function startMarks() {
  const show = () => mark().catch((error) => console.warn("Not marked:", error));
  for (const changed of ["tricky:outbox", "tricky:drawn", "tricky:ready", "htmx:afterSwap"]) document.addEventListener(changed, show);
  show();
}
