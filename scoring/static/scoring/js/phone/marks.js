/* Says truthfully what is saved where: a mark at each hand, a line above the page. */

import { change, releaseKey, waiting } from "./kept.js";
import * as local from "./local.js";
import { drain } from "./outbox.js";
import { addressOf } from "./pages.js";

const say = (words, number) => words.replace("%s", number);

async function mark() {
  const all = await waiting();
  const root = document.documentElement;
  const region = document.getElementById("kept");
  if (!region) return;
  const words = region.dataset;
  const here = all.filter((entry) => entry.address === addressOf(location));
  markHands(new Map(here.map((entry) => [entry.number, entry.state ?? "kept"])), words);
  const refused = all.filter((entry) => entry.state);
  const going = all.length - refused.length;
  const line = !going ? "" : say(going === 1 ? words.one : words.many, going);
  const unscored = going && !local.ready && "away" in root.dataset ? ` ${words.unscored}` : "";
  const lines = line ? [paragraph(line + unscored)] : [];
  region.replaceChildren(...lines, ...refused.map((entry) => refusal(entry, words)));
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

/* What was refused, and the ways out: try again, or let it go. */
function refusal(entry, words) {
  const line = paragraph(`${entry.number ? say(words.refused, entry.number) : words.refusedOther} ${(entry.faults ?? []).map((fault) => fault.message).join(" ")}`);
  line.className = "refusal";
  const button = (label, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = label;
    made.addEventListener("click", act);
    return made;
  };
  line.append(
    button(words.again, async () => {
      const { state, faults, ...rest } = entry;
      await change(rest);
      await drain();
      mark();
    }),
    button(words.discard, async () => {
      if (!confirm(entry.number ? say(words.sure, entry.number) : words.sureOther)) return;
      await releaseKey(entry.key);
      // What the page shows may be of this phone alone: it is asked for anew.
      document.dispatchEvent(new CustomEvent("tricky:outbox"));
    }),
  );
  return line;
}

export function startMarks() {
  for (const changed of ["tricky:outbox", "tricky:drawn", "tricky:ready", "htmx:afterSwap"]) document.addEventListener(changed, mark);
  mark();
}
