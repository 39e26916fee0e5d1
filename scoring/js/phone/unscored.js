/* Hands that are kept before anything could score them: the next one is entered all the same. */

import { formAt } from "../dom.js";
import { here, toUrl } from "./addresses.js";
import { forgetKept } from "./entries.js";
import { waiting } from "./kept.js";
import * as local from "./local.js";
import { countOn, emptied } from "./nexthand.js";
import { tell } from "./outbox.js";
import { draw, go } from "./pages.js";

/** Another tab may have been quicker to send it.
 * @param {Entry} entry */
export async function outcomeElsewhere({ address, key }) {
  const still = (await waiting(address)).find((entry) => entry.key === key);
  return still ? still.state : "saved";
}

/** The rules have not started yet: the hand is kept, and the next one can be entered.
 * @param {HTMLFormElement} form @param {Entry} entry
 * @param {(entry: Entry) => Promise<void>} onceSaved offers the way back */
export async function nextWithoutScore(form, entry, onceSaved) {
  if (entry.kind !== "enter") return tell();
  forgetKept(form);
  const page = await window.caches?.match(toUrl(location.pathname), { ignoreVary: true });
  if (page) draw({ url: here(), text: emptied(await page.text()) }, { remember: false });
  else {
    form.reset();
    await countOn();
    form.dispatchEvent(new Event("input", { bubbles: true }));
  }
  tell();
  goOnOnceScored(entry, onceSaved);
}

/** Asks for the next hand anew once this one is saved, or scored here: it may have been the last.
 * Who has begun the next one by then is left alone.
 * @param {Entry} entry @param {(entry: Entry) => Promise<void>} onceSaved */
function goOnOnceScored(entry, onceSaved) {
  const form = formAt('form[data-keep="enter"]');
  const over = new AbortController();
  const { signal } = over;
  for (const act of ["pointerdown", "keydown"]) form?.addEventListener(act, () => over.abort(), { signal });
  const see = async () => {
    const isSaved = (await outcomeElsewhere(entry)) === "saved";
    if (signal.aborted || !(isSaved || local.ready)) return;
    over.abort();
    if (form?.isConnected && (await go(here(), { yields: true })) && isSaved) await onceSaved(entry);
  };
  for (const news of ["tricky:outbox", "tricky:ready"]) document.addEventListener(news, see, { signal });
}
