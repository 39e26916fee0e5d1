"""Scripts for actions of players on pages of the scorepad, and for records of the shown state."""

RECORD_ENTRIES = """
  const { add, put } = IDBObjectStore.prototype;
  // What is shown as kept is what the transaction has brought to the disk.
  IDBObjectStore.prototype.add = function (value, ...rest) {
    const request = add.call(this, value, ...rest);
    const told = { ...value, act: globalThis.act ?? 0 };
    if (value?.kind) this.transaction.addEventListener("complete", () => noteKept(told));
    return request;
  };
  IDBObjectStore.prototype.put = function (value, ...rest) {
    if (value?.state) noteRefused(value);
    return put.call(this, value, ...rest);
  };
  const seen = new Set();
  const note = (told) => seen.has(told.join()) || (seen.add(told.join()), noteShown(...told));
  const look = () => {
    for (const row of document.querySelectorAll("#sheet tr[data-hand]")) {
      const { badge } = row.querySelector("[data-badge]")?.dataset ?? {};
      const scores = [...row.querySelectorAll("td")].map((cell) => cell.textContent.trim());
      const { address } = document.getElementById("sheet").dataset;
      if (badge === "unsent" || badge === "saved") note([address, Number(row.dataset.hand), scores]);
    }
    const line = document.querySelector("#queue-status p")?.textContent ?? "";
    const waiting = line.startsWith("One entry") ? 1 : Number(line.match(/^(\\d+) entries/)?.[1] ?? 0);
    if (waiting) note(["", waiting, []]);
  };
  new MutationObserver(look).observe(document, {
    subtree: true, childList: true, attributes: true, attributeFilter: ["data-badge"],
  });
"""
"""Reports entries that are stored or refused, and hands that are marked as stored or saved."""

FORM_HELPERS = """
  const { openPage: go, readSnapshot: known } = await import('APP');
  const [act, address, ...rest] = args;
  globalThis.act = act;
  const find = (selector) => document.querySelector(selector);
  const points = (form) => [...form.querySelectorAll("[name^=points_]")];
  // Whoever sees that a form waits goes on elsewhere.
  const submit = (form, button) => new Promise((resolve) => {
    const see = () => form.hasAttribute("aria-busy") || resolve();
    new MutationObserver(see).observe(form, { attributeFilter: ["aria-busy"] });
    setTimeout(resolve, 6000);
    form.requestSubmit(button);
  });
  const save = (form) => submit(form, form.querySelector(".save-bar .primary"));
  const fill = (form, values) => points(form).forEach((field, seat) => (field.value = values[seat]));
  const confirm = async () => {
    const reason = find("[name=reason][value=mistyped]");
    if (!reason) return false;
    reason.checked = true;
    await submit(reason.form, reason.form.querySelector("[name=confirm]"));
    return true;
  };
  // One of the hands that the sheet of this phone has.
  const pick = async (which) => {
    await go(`/m/${address}/`);
    const rows = [...document.querySelectorAll("#sheet tr[data-hand]:not(.void)")];
    return rows[Math.floor(which * rows.length)]?.dataset.hand;
  };
"""
FILL = """
  await go(`/m/${address}/hands/new/`);
  // Nobody types so fast that the page has not counted on yet to what is not kept.
  const isKept = async (number) =>
    (await known(address)).entries.some((entry) => entry.kind === "enter" && !entry.state && String(entry.number) === number);
  let form = find("form[data-entry-kind=enter]");
  for (let looks = 0; form && looks < 60 && (await isKept(form.dataset.number)); looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    form = find("form[data-entry-kind=enter]");
  }
  if (form) fill(form, rest[0]);
  return Boolean(form);
"""
SAVE = """
  const form = find("form[data-entry-kind=enter]");
  if (form) await save(form);
  return Boolean(form);
"""
CORRECT = """
  const [which, values] = rest;
  const number = await pick(which);
  if (!number) return false;
  await go(`/m/${address}/hands/${number}/correct/`);
  const form = find("form[data-entry-kind=replace]");
  if (!form) return false;
  const before = points(form).map((field) => Number(field.value));
  fill(form, values);
  await save(form);
  return (await confirm()) && before;
"""
VOID = """
  const number = await pick(rest[0]);
  if (!number) return false;
  await go(`/m/${address}/hands/${number}/`);
  const form = find("form[action$='/void/']");
  if (!form) return false;
  await submit(form);
  return confirm();
"""
CHOOSE = """
  await go(`/m/${address}/`);
  const link = find(".refusal a[href*='/hands/']");
  if (!link) return false;
  await go(link.getAttribute("href"));
  const forms = document.querySelectorAll(".versions form");
  if (!forms.length) return false;
  await submit(forms[Math.floor(rest[0] * forms.length)]);
  return true;
"""
