/* The order of names before a match; empty seats are empty names. */

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
