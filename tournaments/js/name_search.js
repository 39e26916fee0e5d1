/* Finds names by parts of them, as the server does (tournaments/names.py). */

/* Letters that Unicode does not decompose, as they are written without marks. */
/** @type {Record<string, string>} */
const PLAIN = { æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ħ: "h", ŧ: "t", ı: "i", ß: "ss", "‐": "-", "–": "-" };

/** Returns a text without marks, capitals and apostrophes.
 * @param {string} text */
export function foldName(text) {
  const folded = text.toLowerCase().normalize("NFKD").replace(/[\p{M}'’‘ʼʻ`´′]/gu, "");
  return folded.replace(/[^\x20-\x7e]/gu, (letter) => PLAIN[letter] ?? letter);
}

/** Whether each word of the query is somewhere in a name, or is the player's number.
 * @param {string} nameKey a name as folded by the server @param {string} number @param {string} query */
export const matchesQuery = (nameKey, number, query) =>
  foldName(query).split(/\s+/).every((word) => nameKey.includes(word) || word === number);
