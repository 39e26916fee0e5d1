/* Who sits where before a match begins: names in the order of the seats, empty ones among them. */

/** Returns the names after one has moved to another seat.
 * @param {string[]} names @param {number} from @param {number} to */
export function moved(names, from, to) {
  const others = names.toSpliced(from, 1);
  return others.toSpliced(to, 0, names[from]);
}

/** Returns how many seats are shown: as many as the game needs, and one more while the table is not full.
 * @param {string[]} names @param {{ least: number, most: number }} seats */
export function seatsShown(names, { least, most }) {
  const taken = names.findLastIndex(Boolean) + 1;
  return Math.max(taken, Math.min(most, Math.max(least, taken + 1)));
}

/** Returns the names after a known player was tapped: seated in the first empty seat, or up again.
 * @param {string[]} names @param {string} player */
export function toggled(names, player) {
  const seat = names.indexOf(player);
  if (seat >= 0) return moved(names.with(seat, ""), seat, names.length - 1);
  const empty = names.indexOf("");
  return empty >= 0 ? names.with(empty, player) : names;
}
