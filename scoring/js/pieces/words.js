/* Lists of pieces as text: codes separated by spaces. */

/** @param {string | undefined} text */
export const splitWords = (text) => (text ?? "").split(/\s+/).filter(Boolean);

/** Appends a piece; a card that `turns` is a new trump.
 * @param {string} text @param {string} piece @param {boolean} turns */
export const addPiece = (text, piece, turns) => [...splitWords(text), (turns ? "+" : "") + piece].join(" ");

/** Appends a piece; a full list starts again with it.
 * @param {string} text @param {string} piece @param {number} most */
export function addPieceUpTo(text, piece, most) {
  const words = splitWords(text);
  return [...(words.length < most ? words : []), piece].join(" ");
}

/** @param {string} text */
export const removeLastPiece = (text) => splitWords(text).slice(0, -1).join(" ");

/** Whether the next piece is the last one of a player.
 * @param {string} text @param {string | undefined} each */
export const isLastPiece = (text, each) => splitWords(text).length % Number(each) === Number(each) - 1;

/** Whether a draft continues a list.
 * @param {string | null} draft @param {string} text */
export const isContinuation = (draft, text) => Boolean(draft) && draft !== text && (draft ?? "").startsWith(text);
