/* What was refused of all that waits, and by whom. */

/** Returns what was refused with its faults: by the server or, where this phone is asked as well, the
 * first of each match by this phone; what comes after that one cannot be judged.
 * @param {QueuedEntry[]} entries
 * @param {((entry: Entry) => Verdict | null) | null} verdictOn @returns {Map<QueuedEntry, Fault[]>} */
export function refusalsIn(entries, verdictOn) {
  const refusals = new Map();
  const stuck = new Set();
  for (const entry of entries) {
    const verdict = verdictOn?.(entry);
    const isRefused = verdict?.status === 422;
    if (entry.state) refusals.set(entry, entry.faults ?? []);
    else if (isRefused && !verdict.isBehind && !stuck.has(entry.address)) refusals.set(entry, verdict.faults);
    if (entry.state || isRefused) stuck.add(entry.address);
  }
  return refusals;
}
