/* The seats of a new match: a tap on a recent player fills the first empty seat; arrows or dragging a number change the
   order. Without this script the names are typed in order. */

import { find, findAll, findForm, findInputs, findRequired, findTapped, onEachPage } from "./browser.js";

/** @typedef {{ form: HTMLFormElement, seats: HTMLElement[], fields: HTMLInputElement[] }} SeatingForm */

export const startSeats = () =>
  onEachPage("tricky:drawn", () => {
    const form = findForm("[data-new-match]");
    if (form) startForm(form);
  });

/** @param {HTMLFormElement} form */
function startForm(form) {
  const seats = findAll(form, ".seats li");
  const seating = { form, seats, fields: seats.map((seat) => findInputs(seat, "input")[0]) };
  seats.forEach((seat, index) => {
    findRequired(seat, "[data-up]").addEventListener("click", () => moveSeat(seating, index, index - 1));
    findRequired(seat, "[data-down]").addEventListener("click", () => moveSeat(seating, index, index + 1));
    enableDrag(seating, index);
    seating.fields[index].enterKeyHint = "next";
    seating.fields[index].addEventListener("keydown", (event) => moveToNextSeat(seating, index, event));
  });
  const chips = find(form, "[data-recent]");
  if (chips) {
    chips.hidden = false;
    chips.addEventListener("click", (event) => {
      const player = findTapped(event, "[data-player]")?.dataset.player;
      if (player) setNames(seating, togglePlayer(readNames(seating), player));
    });
  }
  form.addEventListener("input", () => updateSeats(seating));
  updateSeats(seating);
}

/** @param {SeatingForm} seating */
const readNames = ({ fields }) => fields.map(({ value }) => value);

/** @param {SeatingForm} seating @param {string[]} names */
function setNames(seating, names) {
  names.forEach((name, index) => (seating.fields[index].value = name));
  updateSeats(seating);
}

/** Enter goes to the next seat, and submits the form from the last seat or an empty one.
 * @param {SeatingForm} seating @param {number} index @param {KeyboardEvent} event */
function moveToNextSeat({ seats, fields }, index, event) {
  const next = seats[index + 1];
  if (event.key !== "Enter" || event.isComposing || !fields[index].value || !next || next.hidden) return;
  event.preventDefault();
  fields[index + 1].focus();
}

/** @param {SeatingForm} seating @param {number} from @param {number} to */
const moveSeat = (seating, from, to) => setNames(seating, moveName(readNames(seating), from, to));

/** Shows the seats and options of the chosen game, and which recent players are seated.
 * @param {SeatingForm} seating */
function updateSeats(seating) {
  const { form, seats } = seating;
  const names = readNames(seating);
  const [game] = findInputs(form, "[name=game]:checked");
  const least = Number(game?.dataset.min ?? 4);
  const most = Number(game?.dataset.max ?? seats.length);
  // The page has the background of the chosen game.
  if (game) document.body.dataset.game = game.value;
  const shown = countShownSeats(names, { least, most });
  seats.forEach((item, index) => {
    item.hidden = index >= shown;
    findRequired(item, "[data-up]").hidden = index === 0;
    findRequired(item, "[data-down]").hidden = index >= shown - 1;
  });
  for (const chip of findAll(form, "[data-recent] > *")) {
    chip.setAttribute("aria-pressed", String(names.includes(chip.dataset.player ?? "")));
  }
  updateOptions(form, game);
}

/** Shows the options of the chosen game, and opens them if the game needs them.
 * @param {HTMLFormElement} form @param {HTMLInputElement | undefined} game */
function updateOptions(form, game) {
  if (game && "needsOptions" in game.dataset) find(form, "details:has([data-games])")?.setAttribute("open", "");
  for (const option of findAll(form, "[data-games]")) {
    option.hidden = game !== undefined && !(option.dataset.games ?? "").split(" ").includes(game.value);
    // Options of other games must not be submitted.
    for (const field of findInputs(option, "input, select, textarea")) field.disabled = option.hidden;
  }
}

/** Lets a seat be dragged by its number.
 * @param {SeatingForm} seating @param {number} index */
function enableDrag(seating, index) {
  const { seats } = seating;
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
    const target = seats.findIndex((seat) => {
      const { top, bottom } = seat.getBoundingClientRect();
      return !seat.hidden && clientY >= top && clientY < bottom;
    });
    if (target < 0 || target === dragged) return;
    showMoving(false);
    moveSeat(seating, dragged, target);
    dragged = target;
    showMoving(true);
  });
  handle.addEventListener("lostpointercapture", () => showMoving(false));
}

/* Empty seats are empty names. */

/** @param {string[]} names @param {number} from @param {number} to */
export function moveName(names, from, to) {
  const others = names.toSpliced(from, 1);
  return others.toSpliced(to, 0, names[from]);
}

/** Returns how many seats to show: as many as the game needs, and one empty seat unless the table is full.
 * @param {string[]} names @param {{ least: number, most: number }} seats */
export function countShownSeats(names, { least, most }) {
  const taken = names.findLastIndex(Boolean) + 1;
  return Math.max(taken, Math.min(most, Math.max(least, taken + 1)));
}

/** Returns the names after a tap on a known player: added at the first empty seat, or removed.
 * @param {string[]} names @param {string} player */
export function togglePlayer(names, player) {
  const seat = names.indexOf(player);
  if (seat >= 0) return moveName(names.with(seat, ""), seat, names.length - 1);
  const empty = names.indexOf("");
  return empty >= 0 ? names.with(empty, player) : names;
}
