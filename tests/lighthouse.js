/* Runs Lighthouse in an open browser, page after page.

   Reads lines of JSON, { url, isWide, skip }, and writes the report of each page as a line. The argument is the debugging
   port of the browser. */

import { createInterface } from "node:readline";
import lighthouse, { defaultConfig, desktopConfig } from "lighthouse";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const port = Number(process.argv[2]);

/* A site on the same machine needs shorter pauses than the defaults. In milliseconds. */
const SHORT_PAUSES = { pauseAfterFcpMs: 250, pauseAfterLoadMs: 250, networkQuietThresholdMs: 250, cpuQuietThresholdMs: 250 };

/* Audits without weight take as long as others and are skipped, except the one that lists the files of the page. */
const NEEDED_AUDITS = ["network-requests"];
const skippedAudits = CATEGORIES.flatMap((name) => defaultConfig.categories[name].auditRefs)
  .filter(({ id, weight }) => !weight && !NEEDED_AUDITS.includes(id))
  .map(({ id }) => id);

/** @param {{ url: string, isWide: boolean, skip: string[] }} request */
async function runLighthouse({ url, isWide, skip }) {
  const flags = {
    port,
    logLevel: "error",
    onlyCategories: CATEGORIES,
    skipAudits: [...skippedAudits, ...skip],
    disableFullPageScreenshot: true,
    ...SHORT_PAUSES,
  };
  const { lhr } = await lighthouse(url, flags, isWide ? desktopConfig : undefined);
  return lhr;
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await runLighthouse(JSON.parse(line)))}\n`);
}
