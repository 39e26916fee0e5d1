/* How long an answer is waited for. */

/** Returns what gives a request up after so many milliseconds; older browsers count by themselves.
 * @param {number} patience @returns {AbortSignal} */
export function within(patience) {
  if (AbortSignal.timeout) return AbortSignal.timeout(patience);
  const giveUp = new AbortController();
  setTimeout(() => giveUp.abort(), patience);
  return giveUp.signal;
}
