/* A hand that is begun: kept row by row as it is entered, and taken back step by step.

   Only a form with data-begun has both: there Undo and Go on later are shown once there
   is something to take back. Rows have data-keeps; the preview says by data-dice what was
   judged, because nothing may be kept by itself that the server would refuse. */

const valueOf = ({ type, checked, value }) => (type === "checkbox" ? checked : value);

function write(inputs, value) {
  for (const input of inputs) {
    if (input.type === "radio") input.checked = input.value === value;
    else if (input.type === "checkbox") input.checked = value;
    else input.value = value;
  }
  inputs[0].dispatchEvent(new Event("input", { bubbles: true }));
}

/* Keeps the hand whenever a row is complete, or was and is not any more. */
export function keepRows(form, signal) {
  const rows = [...form.querySelectorAll("[data-keeps]")].map((row) => [...row.querySelectorAll("[data-pad]")]);
  const preview = form.querySelector("#preview");
  if (!rows.length || !preview) return;
  const said = () => rows.flat().map((input) => input.value || "-").join(" ");
  const whole = () => rows.map((row) => (row.every((input) => input.value) ? row.map((input) => input.value) : "-")).join(" ");
  let kept = whole();
  const hear = () => {
    const isJudged = preview.querySelector("[data-dice]")?.dataset.dice === said() && !preview.querySelector(".refusal");
    // What is being saved is on its way already.
    if (!isJudged || form.hasAttribute("aria-busy") || kept === whole()) return;
    kept = whole();
    document.dispatchEvent(new CustomEvent("tricky:begun", { detail: form }));
  };
  preview.addEventListener("htmx:afterSwap", hear, { signal });
}

/* Remembers what was set, in order, and what stood there before; `filled` are the names of
   what was there when the page came. `show` opens the slot of an input. */
export function startUndo(form, filled, show, signal) {
  const row = form.querySelector("[data-begun]");
  if (!row) return;
  const inputsOf = (name) => [...form.querySelectorAll(`[name="${name}"]`)];
  const read = (name) => {
    const inputs = inputsOf(name);
    return inputs[0].type === "radio" ? (inputs.find(({ checked }) => checked)?.value ?? "") : valueOf(inputs[0]);
  };
  const was = new Map([...form.elements].filter(({ name }) => name).map(({ name }) => [name, read(name)]));
  const done = filled.map((name) => ({ name, before: "" }));
  let isUndoing = false;

  const note = ({ target, isTrusted }) => {
    const { name, type } = target;
    const [before, now] = [was.get(name), read(name)];
    was.set(name, now);
    // A choice that nobody tapped followed from what was set before, and goes with it.
    if (!isUndoing && now !== before) done.push({ name, before, follows: !isTrusted && type === "radio" });
    row.hidden = !done.length;
  };

  function undo() {
    let last;
    isUndoing = true;
    do {
      last = done.pop();
      write(inputsOf(last.name), last.before);
    } while (last.follows && done.length);
    isUndoing = false;
    show(inputsOf(last.name)[0]);
  }

  const button = row.querySelector("[data-undo]");
  button.hidden = false;
  row.hidden = !done.length;
  form.addEventListener("input", note, { signal });
  button.addEventListener("click", undo, { signal });
}
