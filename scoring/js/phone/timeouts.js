/* Timeouts of requests. */

/** `AbortSignal.timeout`, also for older browsers.
 * @param {number} milliseconds @returns {AbortSignal} */
export function timeoutSignal(milliseconds) {
  if (AbortSignal.timeout) return AbortSignal.timeout(milliseconds);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}
