/* The pad: slots above, one tray below, and the next slot opens by itself.

   The page is a plain form: without this file every field is filled in directly. Here
   - a fieldset with `data-panel` becomes a slot (a button), its choices move to the tray;
   - an input with `data-pad` is a slot of its own, filled by the keypad or a number grid;
   - whatever is set sends an `input` event, so htmx asks for the preview.
   Attributes of an input: data-digits, data-least, data-most, data-total (what a row of
   inputs adds up to), data-treats (the seat whose treats the tray offers), data-asks. */

let drawn; // ends what listens to the page that was drawn before
const begin = () => {
  drawn?.abort();
  drawn = new AbortController();
  const form = document.querySelector("[data-entry]");
  const tray = form?.querySelector("[data-tray]");
  if (tray) start(form, tray, drawn.signal);
};
document.addEventListener("tricky:drawn", begin);

function start(form, tray, signal) {
  const all = (selector, within = form) => [...within.querySelectorAll(selector)];
  const asks = tray.querySelector("[data-asks]");
  const save = form.querySelector(".primary");
  const tally = form.querySelector("[data-tally]");
  let current = null;
  let fresh = false; // the first key replaces what the slot holds
  let pointed = false; // fingers move on by themselves, arrow keys do not

  document.documentElement.classList.add("js");
  all("[data-no-script]").forEach((element) => (element.hidden = true));
  all("fieldset[data-panel]").forEach(makeSlot);
  all("[data-pad]").forEach((input) => (input.inputMode = "none"));
  const inputsOf = (name) => all(`[name="${name}"]`);
  const valueOf = (name) => inputsOf(name).find((i) => i.type !== "radio" || i.checked)?.value ?? "";

  function makeSlot(fieldset) {
    const slot = document.createElement("button");
    slot.type = "button";
    slot.className = "slot choose";
    slot.dataset.step = fieldset.dataset.panel;
    slot.innerHTML = "<span></span><output></output>";
    slot.firstChild.textContent = fieldset.dataset.slot ?? fieldset.querySelector("legend").textContent;
    slot.panel = fieldset;
    if (fieldset.querySelector(".refusal")) slot.classList.add("refused");
    fieldset.before(slot);
    fieldset.hidden = true;
    tray.append(fieldset);
    slot.addEventListener("click", () => open(slot));
  }

  const isStep = (element) => element.checkVisibility() && !isSkipped(element);
  const steps = () => all("[data-step], [data-pad]").filter((e) => e.dataset.pad !== "none" && isStep(e));

  function isSkipped(step) {
    if (form.querySelector("[data-ends]:checked")) return !step.panel?.querySelector("[data-ends]");
    const [name, value] = (step.panel?.dataset.unless ?? "").split("=");
    return Boolean(name) && valueOf(name) === value;
  }

  const isFilled = (step) =>
    step.panel ? Boolean(step.panel.querySelector(":checked")) : step.value !== "";

  /* Opening a slot shows its panel, and nothing else, in the tray. */
  function open(step) {
    current = step;
    fresh = true;
    for (const panel of tray.children) if (panel !== asks) panel.hidden = true;
    all("[aria-current]").forEach((element) => element.removeAttribute("aria-current"));
    tray.hidden = false;
    step.setAttribute("aria-current", "step");
    const panel = step.panel ?? tray.querySelector(`[data-pad-panel="${step.dataset.pad}"]`);
    panel.hidden = false;
    asks.textContent = step.panel ? "" : step.dataset.asks ?? (step.labels[0]?.querySelector(".name") ?? step.labels[0]).textContent;
    if (step.panel) leaveOut(panel);
    else if (step.dataset.pad === "grid") drawGrid(step);
    if (document.activeElement !== step) step.focus({ preventScroll: true });
    if (!step.panel) step.select();
    step.scrollIntoView({ block: "nearest" });
  }

  /* An input may be a slot, stand in the panel of one, or lie beside them all. */
  function show(input) {
    const panel = input.closest("[data-panel]")?.dataset.panel;
    const step = panel ? form.querySelector(`[data-step="${panel}"]`) : input;
    if (step.panel || step.dataset.pad) return open(step);
    input.closest("details")?.setAttribute("open", "");
    input.focus();
  }

  function close() {
    current = null;
    tray.hidden = true;
    all("[aria-current]").forEach((element) => element.removeAttribute("aria-current"));
    save.focus({ preventScroll: true });
    form.querySelector("#preview")?.scrollIntoView({ block: "nearest" });
  }

  function advance() {
    const list = steps();
    const next = list[list.indexOf(current) + 1];
    if (next) open(next);
    else close();
  }

  /* The bidder is no partner. */
  function leaveOut(panel) {
    const taken = panel.dataset.except && valueOf(panel.dataset.except);
    if (taken === undefined) return;
    all(".chip", panel).forEach((chip) => (chip.hidden = chip.dataset.value === taken));
  }

  function key(label, text = label) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.value = label;
    button.textContent = text;
    return button;
  }

  function drawGrid(input) {
    const { least, most, total, treats } = input.dataset;
    const keys = [];
    for (let number = Number(least); number <= Number(most); number += 1) keys.push(key(number));
    tray.querySelector("[data-numbers]").replaceChildren(...keys);
    tray.querySelector("[data-steppers]").hidden = treats !== undefined;
    tray.querySelector('[data-add="-1"]').hidden = tray.querySelector('[data-add="1"]').hidden = !total;
    const row = all("[data-total]");
    const others = row.filter((other) => other !== input);
    if (total && others.every((other) => other.value !== "")) {
      const left = total - others.reduce((sum, other) => sum + Number(other.value), 0);
      keys.find((button) => button.dataset.value === String(left))?.classList.add("fits");
    }
  }

  function set(input, value) {
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  const press = {
    next: advance,
    delete: () => set(current, fresh ? "" : current.value.slice(0, -1)),
    undo: () => set(current, current.value.trim().split(/\s+/).slice(0, -1).join(" ")),
  };

  tray.addEventListener("pointerdown", (event) => {
    pointed = true;
    if (event.target.closest("button")) event.preventDefault(); // the slot keeps the focus
  });
  document.addEventListener("keydown", () => (pointed = false), { capture: true, signal });

  tray.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return pointed && event.target.matches("input") && picked(event.target);
    const { key: name, value, add, kind, seat } = button.dataset;
    if (seat !== undefined) takeTrick(seat);
    else if (kind) gain(kind);
    else if (add) set(current, Math.max(0, Number(current.value || 0) + Number(add)));
    else if (value !== undefined && current.dataset.pad === "tally") set(current, `${current.value} ${value}`.trim());
    else if (value !== undefined) set(current, value) ?? advance();
    else if (name in press) press[name]();
    else set(current, (fresh ? "" : current.value) + name);
  });

  function picked(choice) {
    const stays = choice.closest("[data-stay]") && !choice.matches("[data-ends]");
    if (!stays) advance();
  }

  /* Treats: a kind is gained in the tray and lost by a tap on its chip. */
  function gain(kind) {
    const treat = inputsOf(`treats_${current.dataset.treats}_${kind}`)[0];
    const held = Number(treat.value || 0);
    set(treat, held < Number(treat.dataset.most) ? held + 1 : "");
  }
  const showHeld = () =>
    all(".treat").forEach((chip) => {
      const input = chip.querySelector("input");
      chip.hidden = !Number(input.value);
      chip.title = chip.textContent;
    });
  all(".treat").forEach((chip) =>
    chip.addEventListener("click", (event) => {
      const input = chip.querySelector("input");
      event.preventDefault();
      set(input, Number(input.value) > 1 ? input.value - 1 : "");
    }),
  );

  /* A tally: a seat takes the trick, numbers are its antes, the next seat the next trick. */
  function takeTrick(seat) {
    if (current.value.trim()) {
      const list = steps();
      const next = list[list.indexOf(current) + 1];
      if (!next) return;
      open(next);
    }
    const winner = all(`[name="${current.name.replace("antes", "winner")}"]`)[seat];
    winner.checked = true;
    winner.dispatchEvent(new Event("input", { bubbles: true }));
  }
  if (tally) {
    const winners = tray.querySelector("[data-winners]");
    all(".trick:first-of-type .chip", tally).forEach((chip, seat) => {
      const button = key(seat, "");
      delete button.dataset.value;
      button.dataset.seat = seat;
      button.append(...[...chip.querySelectorAll("span")].map((span) => span.cloneNode(true)));
      winners.append(button);
    });
    tray.querySelector("[data-antes]").replaceChildren(...[...Array(16).keys()].map((n) => key(n)));
    const change = () => {
      form.querySelector("[data-sums]").hidden = tally.open;
      if (tally.open || !current?.checkVisibility()) open(steps()[0]);
    };
    tally.addEventListener("toggle", change);
  }

  /* A number that can have no further digit moves on; a real keyboard does the same. */
  form.addEventListener("input", (event) => {
    const input = event.target;
    refresh();
    if (input !== current || input.dataset.pad !== "keypad") {
      if (event.isTrusted && input === current && input.value.length >= Number(input.dataset.digits)) advance();
      return;
    }
    fresh = false;
    const { digits, most } = input.dataset;
    const number = input.value;
    const isDone = number.length >= Number(digits) || number === "0" || (most && number * 10 > Number(most));
    if (number && isDone) advance();
  });
  form.addEventListener("focusin", (event) => {
    if (event.target.matches('[data-pad]:not([data-pad="none"])') && event.target !== current) open(event.target);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.preventDefault();
    if (current) advance();
  });
  form.addEventListener("submit", () => navigator.vibrate?.(15));

  /* What the slots show of the choices made. */
  function refresh() {
    for (const slot of all("[data-step]")) {
      const chosen = all("input:checked", slot.panel).filter((i) => i.closest(".chip") && !i.closest(".chip").hidden);
      slot.querySelector("output").replaceChildren(
        ...chosen.map((input) => {
          const said = input.closest(".chip").cloneNode(true);
          said.querySelector("input").remove();
          const shown = document.createElement("span");
          const mark = input.closest(".line")?.querySelector(".who .mark");
          if (mark) shown.append(mark.cloneNode(true));
          shown.append(...said.childNodes);
          return shown;
        }),
      );
      slot.hidden = isSkipped(slot);
    }
    for (const winner of all(".trick [data-won]")) {
      const chosen = winner.closest(".trick").querySelector(":checked");
      winner.textContent = chosen?.closest(".chip").querySelector(".name").textContent ?? "";
    }
    for (const button of all("[data-when]")) {
      const names = button.dataset.when.split(" ");
      const points = all('[name^="points_"], [name^="tricks_won_"]').some((input) => input.value);
      button.hidden = points || !names.every((name) => valueOf(name));
    }
    showHeld();
  }

  /* The preview: refusals mark their slots. */
  function hear() {
    all("[aria-invalid]").forEach((input) => input.removeAttribute("aria-invalid"));
    all(".slot.refused").forEach((slot) => slot.classList.remove("refused"));
    all(".slot .refusal").forEach((said) => said.remove());
    for (const fault of all("[data-fault]")) {
      const input = inputsOf(fault.dataset.fault)[0];
      const panel = input?.closest("[data-panel]")?.dataset.panel;
      const slot = panel ? form.querySelector(`[data-step="${panel}"]`) : input;
      slot?.setAttribute("aria-describedby", fault.id);
      slot?.closest(".slot")?.classList.add("refused");
      input?.setAttribute("aria-invalid", "true");
    }
    offer();
  }

  /* DB2T learns what the dice allow; what was said of other dice comes too late. */
  function offer() {
    const told = form.querySelector("[data-offers]");
    const dice = all('[name^="dice_"]').map((input) => input.value || "-");
    if (told?.dataset.dice !== dice.join(" ")) return;
    const tiers = told.dataset.offers.split(" ");
    const may = told.dataset.mayTrump.split(" ");
    all('[name="tier"]').forEach((tier) => {
      tier.closest(".chip").hidden = !tiers.includes(tier.value);
      if (tier.closest(".chip").hidden) tier.checked = false;
    });
    all("[data-trumpers] .chip").forEach((chip) => (chip.hidden = !may.includes(chip.dataset.value)));
    const only = tiers.length === 1 && form.querySelector(`[name="tier"][value="${tiers[0]}"]`);
    if (only && !only.checked) {
      only.checked = true;
      set(only, only.value);
      if (current?.panel?.contains(only)) advance();
    }
    refresh();
  }
  /* A hand that may be begun; others need not fetch what that takes. */
  async function goOnLater() {
    const filled = steps().filter(isFilled).map((step) => step.panel?.querySelector(":checked").name ?? step.name);
    const { keepRows, startUndo } = await import("./begun.js");
    if (signal.aborted) return;
    startUndo(form, filled, show, signal);
    keepRows(form, signal);
  }

  document.body.addEventListener("htmx:afterSwap", hear, { signal });
  all("[data-trumpers] .chip").forEach((chip) => (chip.hidden = !chip.querySelector(":checked")));

  refresh();
  offer();
  if (form.querySelector("[data-begun]")) goOnLater();
  const refused = steps().find((step) => step.closest(".refused"));
  const empty = steps().find((step) => !isFilled(step));
  if (refused ?? empty) open(refused ?? empty);
}

begin();
