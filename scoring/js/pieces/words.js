/* Pieces as they are written: words with blanks between them. */

/** @param {string | undefined} text */
export const wordsOf = (text) => (text ?? "").split(/\s+/).filter(Boolean);

/** Returns the pieces with one more; a card that `turns` is a new trump.
 * @param {string} text @param {string} piece @param {boolean} turns */
export const withPiece = (text, piece, turns) => [...wordsOf(text), (turns ? "+" : "") + piece].join(" ");

/** Returns what somebody put down with one piece more; beyond what they put down, it begins anew.
 * @param {string} text @param {string} piece @param {number} most */
export function withPieceOf(text, piece, most) {
  const words = wordsOf(text);
  return [...(words.length < most ? words : []), piece].join(" ");
}

/** Returns the pieces without the last one.
 * @param {string} text */
export const withoutPiece = (text) => wordsOf(text).slice(0, -1).join(" ");

/** Whether the next piece is the last of those that a player has to name.
 * @param {string} text @param {string | undefined} each */
export const isLastOf = (text, each) => wordsOf(text).length % Number(each) === Number(each) - 1;

/** Whether a draft goes on from what is there.
 * @param {string | null} draft @param {string} text */
export const goesOn = (draft, text) => Boolean(draft) && draft !== text && (draft ?? "").startsWith(text);
