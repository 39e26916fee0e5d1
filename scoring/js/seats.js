/* A new match: recent players fill the first empty seat, and names change seats by an
   arrow or by dragging their number. Without this file the names are typed in order. */

import { find, findAll, findForm, findInputs, findRequired, findTapped } from "./dom.js";
import { moved, seatsShown, toggled } from "./seats/order.js";

/** @typedef {{ form: HTMLFormElement, seats: HTMLElement[], fields: HTMLInputElement[] }} Table */

function begin() {
  const form = findForm("[data-new-match]");
  if (form) start(form);
}
document.addEventListener("tricky:drawn", begin);

/** @param {HTMLFormElement} form */
function start(form) {
  const seats = findAll(form, ".seats li");
  const table = { form, seats, fields: seats.map((seat) => findInputs(seat, "input")[0]) };
  seats.forEach((seat, index) => {
    findRequired(seat, "[data-up]").addEventListener("click", () => move(table, index, index - 1));
    findRequired(seat, "[data-down]").addEventListener("click", () => move(table, index, index + 1));
    letDrag(table, index);
  });
  const chips = find(form, "[data-recent]");
  if (chips) {
    chips.hidden = false;
    chips.addEventListener("click", (event) => {
      const player = findTapped(event, "[data-player]")?.dataset.player;
      if (player) seat(table, toggled(namesAt(table), player));
    });
  }
  form.addEventListener("input", () => draw(table));
  draw(table);
}

/** @param {Table} table */
const namesAt = ({ fields }) => fields.map(({ value }) => value);

/** @param {Table} table @param {string[]} names */
function seat(table, names) {
  names.forEach((name, index) => (table.fields[index].value = name));
  draw(table);
}

/** @param {Table} table @param {number} from @param {number} to */
const move = (table, from, to) => seat(table, moved(namesAt(table), from, to));

/** Shows the seats and the options of the game that is chosen, and who is seated.
 * @param {Table} table */
function draw(table) {
  const { form, seats } = table;
  const names = namesAt(table);
  const [game] = findInputs(form, "[name=game]:checked");
  const least = Number(game?.dataset.least ?? 4);
  const most = Number(game?.dataset.most ?? seats.length);
  // The table lies on the cloth of what is going to be played.
  if (game) document.body.dataset.game = game.value;
  const shown = seatsShown(names, { least, most });
  seats.forEach((item, index) => {
    item.hidden = index >= shown;
    findRequired(item, "[data-up]").hidden = index === 0;
    findRequired(item, "[data-down]").hidden = index >= shown - 1;
  });
  for (const chip of findAll(form, "[data-recent] > *")) {
    chip.setAttribute("aria-pressed", String(names.includes(chip.dataset.player ?? "")));
  }
  for (const option of findAll(form, "[data-games]")) {
    option.hidden = Boolean(game) && !(option.dataset.games ?? "").split(" ").includes(game.value);
    // What another game asks for is not said of this one.
    for (const field of findInputs(option, "input, select, textarea")) field.disabled = option.hidden;
  }
}

/** A name follows the finger that drags its number.
 * @param {Table} table @param {number} index */
function letDrag(table, index) {
  const { seats } = table;
  const handle = findRequired(seats[index], "label");
  let dragged = index;
  const showMoving = (/** @type {boolean} */ isMoving) => seats[dragged].classList.toggle("is-dragged", isMoving);
  handle.addEventListener("pointerdown", ({ pointerId }) => {
    dragged = index;
    handle.setPointerCapture(pointerId);
    showMoving(true);
  });
  handle.addEventListener("pointermove", ({ pointerId, clientY }) => {
    if (!handle.hasPointerCapture(pointerId)) return;
    const over = seats.findIndex((seat) => {
      const { top, bottom } = seat.getBoundingClientRect();
      return !seat.hidden && clientY >= top && clientY < bottom;
    });
    if (over < 0 || over === dragged) return;
    showMoving(false);
    move(table, dragged, over);
    dragged = over;
    showMoving(true);
  });
  handle.addEventListener("lostpointercapture", () => showMoving(false));
}

begin();
