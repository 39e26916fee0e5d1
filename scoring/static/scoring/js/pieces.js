/* Tapping pieces: a first key opens the second keys, the second enters the piece.

   Pieces go into the input with data-pieces that was touched last, the plays to begin
   with. Without this file they are typed. Where a hand is recorded the preview tells by
   data-play what cannot be tapped any more, and which keys to open.

   A recorded hand is kept with each complete trick, when nobody taps for a while and when
   the page is left, so that any phone can go on; what was tapped since, as a draft here. */

const REST = 8000; // milliseconds without a tap after which somebody else may have to go on

let drawn; // ends what listens to the page that was drawn before
const begin = () => {
  drawn?.abort();
  drawn = new AbortController();
  const form = document.querySelector("[data-trick]");
  if (form) start(form, drawn.signal);
};
document.addEventListener("tricky:drawn", begin);
// Another phone did something: there are other pieces to tap now.
document.addEventListener("htmx:afterSwap", ({ detail }) => detail?.target?.id === "live" && begin());

const words = (text) => text.split(/\s+/).filter(Boolean);

function start(form, signal) {
  const pad = form.querySelector("[data-keys]");
  if (!pad) return;
  const [first, last, back, turn] = ["first", "last", "back", "turn"].map((name) => pad.querySelector(`[data-${name}]`));
  const inputs = [...form.querySelectorAll("[data-pieces]")];
  const recorded = form.querySelector("[data-pieces=played]");
  const preview = form.querySelector("#preview");
  let target = form.querySelector("[data-pieces=plays]") ?? recorded;
  let isTurning = false; // whether the next card is a new trump
  let isChoosing = false; // whether a key was tapped since the last piece
  let told = 0; // complete tricks, as they were told last
  let resting = 0;
  const listen = (element, name, act) => element.addEventListener(name, act, { signal });
  const pieces = () => words(target.value);

  pad.hidden = Boolean(recorded);
  form.querySelectorAll("[data-no-script], [data-typed]").forEach((element) => (element.hidden = true));
  inputs.forEach((input) => {
    input.inputMode = "none";
    listen(input, "focus", () => {
      target = input;
      show();
    });
  });

  function show(opened) {
    inputs.forEach((input) => input.toggleAttribute("data-current", inputs.length > 1 && input === target));
    const isLast = last && pieces().length % Number(pad.dataset.each) === Number(pad.dataset.each) - 1;
    for (const panel of pad.querySelectorAll("[data-second]")) panel.hidden = panel.dataset.second !== opened;
    // Where a suit is followed, every other one stays a tap away.
    const follows = "follows" in pad.dataset;
    first.hidden = (Boolean(opened) && !follows) || isLast;
    back.hidden = !opened || follows;
    for (const key of first.children) key.setAttribute("aria-expanded", key.dataset.opens === opened);
    if (last) last.hidden = !isLast;
    const panel = [...pad.querySelectorAll(".grid")].findLast((one) => !one.hidden);
    if (pad.contains(document.activeElement)) panel.querySelector("button:not(:disabled)")?.focus({ preventScroll: true });
  }

  const shown = () => pad.querySelector("[data-second]:not([hidden])")?.dataset.second;

  function write(all, { opened } = {}) {
    target.value = all.join(" ");
    isTurning = false;
    isChoosing = false;
    // Whoever is next has other dice; what is gone is told with the answer.
    for (const key of pad.querySelectorAll(":disabled")) key.disabled = false;
    show(opened);
    keepDraft();
    clearTimeout(resting);
    resting = setTimeout(keepBegun, REST);
    target.dispatchEvent(new Event("input", { bubbles: true }));
  }

  listen(pad, "click", ({ target: tapped }) => {
    const { opens, piece } = tapped.dataset;
    // Most players follow what was led.
    if (piece) write([...pieces(), (isTurning ? "+" : "") + piece], { opened: "follows" in pad.dataset && !isTurning ? shown() : undefined });
    else if (opens || "back" in tapped.dataset) {
      isChoosing = true;
      show(opens);
    } else if ("undo" in tapped.dataset) write(pieces().slice(0, -1));
    else if ("turn" in tapped.dataset) {
      isTurning = true;
      show();
    } else if ("again" in tapped.dataset) {
      target = form.querySelector("[data-pieces=plays]");
      write([]);
    }
  });

  /* What the referee says of what is there now, not of what was tapped before. */
  function judgedPlay() {
    const play = preview?.querySelector("[data-play]");
    return recorded && play && Number(play.dataset.count) === words(recorded.value).length ? play : null;
  }

  function keepBegun() {
    clearTimeout(resting);
    const play = judgedPlay();
    // What is being saved is on its way already; what is refused waits for whoever taps.
    const mayKeep = play && !("waits" in play.dataset) && !play.querySelector(".refusal") && !form.hasAttribute("aria-busy");
    // What any phone may have: as the page came, and then as it was kept last.
    if (!mayKeep || recorded.value === (recorded.dataset.kept ?? recorded.defaultValue)) return;
    recorded.dataset.kept = recorded.value;
    document.dispatchEvent(new CustomEvent("tricky:begun", { detail: form }));
  }

  /* What the referee says of the hand so far. */
  function hear() {
    const play = judgedPlay();
    if (!play) return;
    const { spent, opens, tricks } = play.dataset;
    const gone = new Set(words(spent));
    for (const key of pad.querySelectorAll("[data-piece]")) key.disabled = gone.has(key.dataset.piece);
    for (const key of pad.querySelectorAll("[data-opens]")) {
      key.disabled = !pad.querySelector(`[data-second="${CSS.escape(key.dataset.opens)}"] :enabled`);
    }
    const isWaiting = "waits" in play.dataset;
    // The contract makes room for the play, and comes back where it cannot be.
    if (pad.hidden && !isWaiting) form.querySelector(".contract")?.removeAttribute("open");
    pad.hidden = isWaiting;
    turn.hidden = !("mayTurn" in play.dataset);
    const isWhole = "whole" in play.dataset;
    form.querySelector("[data-incomplete]")?.toggleAttribute("hidden", isWhole || isWaiting);
    form.querySelector("[data-complete]")?.toggleAttribute("hidden", !isWhole);
    if ("follows" in pad.dataset && !isTurning && !isChoosing && !isWhole) show(opens || undefined);
    if (isWhole) for (const panel of pad.querySelectorAll(".grid")) panel.hidden = true;
    if (Number(tricks) > told && !isWhole) keepBegun();
    told = Number(tricks);
  }

  /* What was tapped since the last trick outlives a reload on this phone. */
  const draft = `tricky-draft:${form.dataset.address}:${form.dataset.number}:${form.dataset.keep}`;
  function keepDraft() {
    try {
      if (recorded) localStorage.setItem(draft, recorded.value);
    } catch {
      // A private window keeps no drafts.
    }
  }
  function keptDraft() {
    try {
      return recorded && localStorage.getItem(draft);
    } catch {
      return "";
    }
  }
  function takeDraft() {
    const kept = keptDraft();
    if (!kept || kept === recorded.value || !kept.startsWith(recorded.value)) return;
    recorded.value = kept;
    recorded.dispatchEvent(new Event("input", { bubbles: true }));
  }

  show();
  told = Number(preview?.querySelector("[data-play]")?.dataset.tricks ?? 0);
  if (preview) listen(preview, "htmx:afterSwap", hear);
  listen(form, "submit", () => {
    try {
      localStorage.removeItem(draft);
    } catch {
      // As above.
    }
  });
  hear();
  listen(document, "visibilitychange", () => document.hidden && keepBegun());
  signal.addEventListener("abort", keepBegun);
  // Nobody hears of a draft before the page is whole.
  if (document.readyState === "complete") takeDraft();
  else addEventListener("load", takeDraft, { once: true, signal });
}

begin();
