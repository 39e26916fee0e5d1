/* Saving: an entry is kept on this phone before anything else, then sent.

   A form says what it is: data-keep (the kind of entry), data-address (the match),
   data-number (the hand), data-confirm (where a second step confirms the first). */

import { newAddress, newKey, phoneName } from "../keys.js";
import { going, keep, releaseKey, waiting } from "./kept.js";
import * as local from "./local.js";
import { drain } from "./outbox.js";
import { away, draw, go, isPad, post } from "./pages.js";

const PATIENCE = 4000;
const NOT_SAID = new Set(["csrfmiddlewaretoken", "key", "base", "number", "confirm", "contract_only", "address", "version", "reason"]);

const within = (time, promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, time, {}))]);

/* Returns what a form says, a list where a field is there several times. */
function fieldsOf(form, submitter) {
  const said = {};
  for (const [name, value] of new FormData(form, submitter)) {
    said[name] = name in said ? [said[name], value].flat() : value;
  }
  return said;
}

function entryOf(form, submitter, fields) {
  const kind = submitter?.name === "contract_only" ? "contract" : form.dataset.keep;
  const told = Object.fromEntries(Object.entries(fields).filter(([name]) => !NOT_SAID.has(name)));
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
  if (fields.base) entry.base = Number(fields.base);
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
    await keep(entry);
  } catch (error) {
    console.warn("This phone keeps nothing:", error);
    return saveWithoutKeeping(form, fields);
  }
  const became = away ? {} : await within(PATIENCE, drain());
  return goOn(form, fields, entry, became[entry.key] ?? (await becameElsewhere(entry)));
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
      // Let go only of what the form shows as refused.
      return (await post(form.getAttribute("action") ?? location.href, again, { here: false })) && releaseKey(entry.key);
    default:
  }
  if (!local.ready) {
    local.begin().catch(() => {});
    return entry.kind === "enter" || became ? nextWithoutScore(form, entry) : goOnWhenThere(form, fields, entry);
  }
  const judged = await local.judge(entry);
  if (judged?.isBehind) return nextWithoutScore(form, entry);
  if (judged?.status !== 422) return go(destination(entry), { alone: Boolean(judged) });
  const url = new URL(form.getAttribute("action") ?? "", location);
  const page = await local.answer("POST", url.pathname + url.search, again);
  if (page.status !== 200) return go(destination(entry), { alone: true });
  await releaseKey(entry.key);
  return draw({ url, text: page.text });
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
    document.dispatchEvent(new CustomEvent("tricky:outbox"));
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
    await post(form.getAttribute("action") ?? location.href, fields, { here: false });
  } catch {
    form.querySelector("[data-no-room]")?.removeAttribute("hidden");
  }
}

/* The rules have not started yet: the hand is kept, and the next one can be entered. */
async function nextWithoutScore(form, entry) {
  if (entry.kind !== "enter") return document.dispatchEvent(new CustomEvent("tricky:outbox"));
  const page = await window.caches?.match(new URL(location.pathname, location), { ignoreVary: true });
  if (page) draw({ url: new URL(location), text: await page.text() }, { remember: false });
  document.dispatchEvent(new CustomEvent("tricky:outbox"));
}

/* A page that was drawn before hands were kept asks for the first hand that was not. */
async function countOn() {
  const form = document.querySelector('form[data-keep="enter"]');
  if (!form) return;
  const kept = (await going(form.dataset.address)).filter((entry) => entry.kind === "enter");
  const next = Math.max(0, ...kept.map((entry) => entry.number)) + 1;
  const told = Number(form.dataset.number);
  if (next <= told) return;
  form.dataset.number = next;
  for (const element of document.querySelectorAll("h1, form .primary")) {
    element.textContent = element.textContent.replace(String(told), String(next));
  }
}

export function startSaving() {
  document.addEventListener("tricky:drawn", countOn);
  countOn();
  document.addEventListener("tricky:begun", ({ detail: form }) => keepBegun(form).catch((error) => console.warn("Not kept yet:", error)));
  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    const action = new URL(submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "", location);
    if (event.defaultPrevented || form.method !== "post" || !isPad(action)) return;
    event.preventDefault();
    // A second tap says nothing new.
    if (form.hasAttribute("aria-busy")) return;
    const isKept = form.dataset.keep && submitter?.name !== "check" && !submitter?.hasAttribute("formaction");
    form.setAttribute("aria-busy", "true");
    try {
      if (isKept && (!("confirm" in form.dataset) || submitter?.name === "confirm")) await save(form, submitter);
      else await post(action, fieldsOf(form, submitter), { here: "keep" in form.dataset || "here" in form.dataset });
    } catch {
      const region = document.getElementById("kept");
      const line = document.createElement("p");
      line.textContent = region.dataset.needs;
      region.append(line);
    } finally {
      form.removeAttribute("aria-busy");
    }
  });
}
