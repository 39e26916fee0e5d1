/* How long to wait for an answer. */

/** Returns what gives a request up after so many milliseconds; older browsers count by themselves.
 * @param {number} patience @returns {AbortSignal} */
export function timeoutSignal(patience) {
  if (AbortSignal.timeout) return AbortSignal.timeout(patience);
  const giveUp = new AbortController();
  setTimeout(() => giveUp.abort(), patience);
  return giveUp.signal;
}
