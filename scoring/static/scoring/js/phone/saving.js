/* Saving: an entry is kept on this phone before anything else, then sent.

   A form says what it is: data-keep (the kind of entry), data-address (the match),
   data-number (the hand), data-confirm (where a second step confirms the first). */

import { newAddress, newKey, phoneName } from "../keys.js";
import { keep, known, releaseKey, waiting } from "./kept.js";
import * as local from "./local.js";
import { drain } from "./outbox.js";
import { away, draw, go, isPad, post } from "./pages.js";

const PATIENCE = 4000;
const NOT_SAID = new Set(["csrfmiddlewaretoken", "key", "base", "number", "confirm", "contract_only", "address", "version", "reason"]);

const within = (time, promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, time, {}))]);
const tell = () => document.dispatchEvent(new CustomEvent("tricky:outbox"));
const action = (form) => form.getAttribute("action") ?? location.href;

/* Returns what a form says, a list where a field is there several times. */
function fieldsOf(form, submitter) {
  const said = {};
  for (const [name, value] of new FormData(form, submitter)) {
    said[name] = name in said ? [said[name], value].flat() : value;
  }
  return said;
}

/* As what a form was kept that is still on the screen: a second tap says nothing new. */
const keptAs = new WeakMap();

function entryOf(form, submitter, fields) {
  const kind = submitter?.name === "contract_only" ? "contract" : form.dataset.keep;
  const told = Object.fromEntries(Object.entries(fields).filter(([name]) => !NOT_SAID.has(name)));
  const before = keptAs.get(form);
  if (before?.kind === kind && JSON.stringify(before.fields) === JSON.stringify(told)) return before;
  const entry = {
    key: newKey(),
    kind,
    address: form.dataset.address || newAddress(),
    fields: told,
    made_by: form.dataset.seated ?? "",
    phone: phoneName(),
    entered_at: new Date().toISOString(),
  };
  if (form.dataset.number) entry.number = Number(form.dataset.number);
  const base = document.documentElement.dataset.held ?? fields.base;
  if (base) entry.base = Number(base);
  if (fields.reason) entry.reason = fields.reason;
  if (form.dataset.body) entry.body = JSON.parse(form.dataset.body);
  if (form.dataset.start) Object.assign(entry.fields, startOf(form, fields.rotate === "1"));
  return entry;
}

/* The same match again, the seats rotated where that is wanted. */
function startOf(form, rotate) {
  const { names, ...rest } = JSON.parse(form.dataset.start);
  const seated = rotate ? [...names.slice(1), names[0]] : names;
  return { ...rest, ...Object.fromEntries(seated.map((name, seat) => [`name_${seat}`, name])) };
}

function destination(entry) {
  const match = `/m/${entry.address}/`;
  // What a spy sees is on this phone alone: no other knows the key.
  if (entry.kind === "board" && entry.fields.kind === "spy") return `${match}board/peek/${entry.key}/`;
  if (entry.kind === "board") return `${match}board/${new URLSearchParams(location.search).has("big") ? "?big=1" : ""}`;
  return ["replace", "void", "restore", "keep"].includes(entry.kind) ? `${match}hands/${entry.number}/` : match;
}

/* Keeps a hand as far as it was played; nobody waits for it. */
async function keepBegun(form) {
  if (form.dataset.keep !== "enter") return;
  await keep(entryOf(form, { name: "contract_only" }, fieldsOf(form)));
  if (!away) await drain();
}

async function save(form, submitter) {
  const fields = fieldsOf(form, submitter);
  const entry = entryOf(form, submitter, fields);
  try {
    await keep(entry, form.dataset.mends);
  } catch (error) {
    console.warn("This phone keeps nothing:", error);
    return saveWithoutKeeping(form, fields);
  }
  keptAs.set(form, entry);
  try {
    const became = away ? {} : await within(PATIENCE, drain());
    // Whoever has gone on meanwhile is not fetched back.
    if (!form.isConnected) return tell();
    await goOn(form, fields, entry, became[entry.key] ?? (await becameElsewhere(entry)));
  } catch (error) {
    // It is kept, whatever could not be shown.
    console.warn("Kept, and not shown yet:", error);
    tell();
  }
}

/* Shows what became of an entry that is kept: where the server has not said it yet, what
   this phone makes of it. */
async function goOn(form, fields, entry, became) {
  // The same key: whoever takes it after all takes it once.
  const again = { ...fields, key: entry.key };
  switch (became) {
    case "saved":
      return go(destination(entry));
    case "beside":
      return go(`/m/${entry.address}/hands/${entry.number}/`);
    case "refused":
      return showRefused(entry, await post(action(form), again, { here: false }));
    default:
  }
  if (!local.ready) {
    local.begin().catch(() => {});
    return entry.kind === "enter" || became ? nextWithoutScore(form, entry) : goOnWhenThere(form, fields, entry);
  }
  const judged = await local.judge(entry);
  if (judged?.isBehind) return nextWithoutScore(form, entry);
  if (judged?.status !== 422) return go(destination(entry), { alone: Boolean(judged) });
  const url = new URL(action(form), location);
  const page = await local.answer("POST", url.pathname + url.search, again);
  if (page.status !== 200) return go(destination(entry), { alone: true });
  const isAlone = await letGoAlone(entry);
  draw({ url, text: page.text, held: page.held });
  return isAlone ? tell() : mending(entry.key);
}

/* What was refused is in the form with its reasons. It is let go only where the form shows it and
   nothing came after it; else what is saved next takes its place. */
async function showRefused(entry, page) {
  if (!page?.isGood) return;
  if (await letGoAlone(entry)) tell();
  else mending(entry.key);
}

/* Lets an entry go after which nothing came; returns whether it did. */
async function letGoAlone({ address, key, entered_at: at }) {
  const after = (await waiting(address)).filter((entry) => entry.key !== key && entry.entered_at > at);
  if (!after.length) await releaseKey(key);
  return !after.length;
}

/* Lets the form that is shown take the place of a refused entry, and tell of it alone. */
function mending(key) {
  if (!key) return;
  document.querySelector("form[data-keep]")?.setAttribute("data-mends", key);
  tell();
}

/* Where what was refused can be corrected: the form that it came from. */
const FORMS = {
  enter: ({ address }) => `/m/${address}/hands/new/`,
  contract: ({ address }) => `/m/${address}/hands/new/`,
  replace: ({ address, number }) => `/m/${address}/hands/${number}/correct/`,
};
export const isMendable = ({ kind, fields }) => kind in FORMS && Object.keys(fields ?? {}).length > 0;

/* Shows a refused entry in its form, with the reasons beside the fields. */
export async function mend(entry) {
  const said = { ...entry.fields, number: entry.number, base: entry.base ?? "", key: newKey(), check: "1" };
  if (await post(FORMS[entry.kind](entry), said)) mending(entry.key);
}

/* Another hand can be entered before this one is scored; but what a beginning or a correction
   comes to is on no page before one of the two servers has it. The form waits for the
   quicker one, as long as it is on the screen. */
async function goOnWhenThere(form, fields, entry) {
  const news = ["tricky:outbox", "tricky:ready", "tricky:drawn"];
  let became;
  await new Promise((resolve) => {
    const see = async () => {
      became = await becameElsewhere(entry);
      if (form.isConnected && !became && !local.ready) return;
      for (const one of news) document.removeEventListener(one, see);
      resolve();
    };
    for (const one of news) document.addEventListener(one, see);
    // What is kept is said above the form meanwhile.
    tell();
  });
  return form.isConnected && goOn(form, fields, entry, became);
}

/* Another tab may have been quicker to send it. */
async function becameElsewhere({ address, key }) {
  const still = (await waiting(address)).find((entry) => entry.key === key);
  return still ? still.state : "saved";
}

/* A phone without room, or in a private window, has the server alone to save with. */
async function saveWithoutKeeping(form, fields) {
  try {
    await post(action(form), fields, { here: false });
  } catch {
    say("noRoom");
  }
}

/* Says above the page, in sight, why nothing was done. */
function say(words) {
  const region = document.getElementById("kept");
  const line = document.createElement("p");
  line.className = "refusal";
  line.dataset.said = words;
  line.textContent = region.dataset[words];
  region.querySelector("[data-said]")?.remove();
  region.append(line);
  region.scrollIntoView({ block: "nearest" });
}

/* The rules have not started yet: the hand is kept, and the next one can be entered. */
async function nextWithoutScore(form, entry) {
  if (entry.kind !== "enter") return tell();
  keptAs.delete(form);
  const page = await window.caches?.match(new URL(location.pathname, location), { ignoreVary: true });
  if (page) draw({ url: new URL(location), text: emptied(await page.text()) }, { remember: false });
  else {
    form.reset();
    await countOn();
    form.dispatchEvent(new Event("input", { bubbles: true }));
  }
  tell();
}

/* A page that was kept while a hand was begun is filled with that hand. */
function emptied(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const form = page.querySelector('form[data-keep="enter"]');
  if (!form?.querySelector("[data-when], [data-begun], [name=played]")) return text;
  for (const input of form.querySelectorAll("[data-pad], [name=bids], [name=played]")) input.removeAttribute("value");
  for (const choice of form.querySelectorAll("[checked]")) choice.removeAttribute("checked");
  return page.documentElement.outerHTML;
}

/* A page may have been drawn before hands were entered on this phone: it asks for the first that
   was not. A hand that was refused is still to come. */
async function countOn() {
  const form = document.querySelector('form[data-keep="enter"]');
  // What this phone drew counts them already; who compares two versions stays with their number.
  if (!form || "held" in document.documentElement.dataset || form.querySelector("[formaction]")) return;
  const entered = await numbersEntered(form.dataset.address);
  const told = Number(form.dataset.number);
  let next = told;
  while (entered.has(next)) next += 1;
  if (next === told || form.dataset.mends) return;
  form.dataset.number = next;
  form.querySelector("[name=number]").value = next;
  for (const element of document.querySelectorAll("h1, form .primary")) {
    element.textContent = element.textContent.replace(String(told), String(next));
  }
}

/* Returns the numbers of the hands that this phone knows of, on the server or here. */
async function numbersEntered(address) {
  const { matches: [held], entries } = await known(address);
  const log = held?.record.meta.tricky.log.map(({ kind, hand }) => ({ kind, number: hand })) ?? [];
  const entered = [...log, ...entries].filter(({ kind, state }) => kind === "enter" && !state);
  return new Set(entered.map(({ number }) => number));
}

const count = () => countOn().catch((error) => console.warn("Not counted on:", error));

export function startSaving() {
  document.addEventListener("tricky:drawn", count);
  count();
  document.addEventListener("tricky:begun", ({ detail: form }) => keepBegun(form).catch((error) => console.warn("Not kept yet:", error)));
  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    const to = new URL(submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "", location);
    if (event.defaultPrevented || form.method !== "post" || !isPad(to)) return;
    event.preventDefault();
    // A second tap says nothing new.
    if (form.hasAttribute("aria-busy")) return;
    const isKept = form.dataset.keep && submitter?.name !== "check" && !submitter?.hasAttribute("formaction");
    form.setAttribute("aria-busy", "true");
    try {
      if (isKept && (!("confirm" in form.dataset) || submitter?.name === "confirm")) await save(form, submitter);
      else if (await post(to, fieldsOf(form, submitter), { here: "keep" in form.dataset || "here" in form.dataset })) mending(form.dataset.mends);
    } catch {
      say("needs");
    } finally {
      form.removeAttribute("aria-busy");
      if (form.isConnected && isKept) tell();
    }
  });
}
