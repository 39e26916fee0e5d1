/* Lighthouse in a browser that is open already, page after page.

   Each line that comes in is JSON, { url, isWide, skip }; each that goes out is the report of that page. The
   argument is the port at which the browser is spoken to. */

import { createInterface } from "node:readline";
import lighthouse, { defaultConfig, desktopConfig } from "lighthouse";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const port = Number(process.argv[2]);

/* A site on the same machine has said all it has to say sooner than one that is far away: milliseconds. */
const SOON = { pauseAfterFcpMs: 250, pauseAfterLoadMs: 250, networkQuietThresholdMs: 250, cpuQuietThresholdMs: 250 };

/* What counts for nothing takes as long as what does; but these say what the page is made of. */
const KEPT = ["network-requests"];
const weightless = CATEGORIES.flatMap((name) => defaultConfig.categories[name].auditRefs)
  .filter(({ id, weight }) => !weight && !KEPT.includes(id))
  .map(({ id }) => id);

/** @param {{ url: string, isWide: boolean, skip: string[] }} wanted */
async function look({ url, isWide, skip }) {
  const flags = {
    port,
    logLevel: "error",
    onlyCategories: CATEGORIES,
    skipAudits: [...weightless, ...skip],
    disableFullPageScreenshot: true,
    ...SOON,
  };
  const { lhr } = await lighthouse(url, flags, isWide ? desktopConfig : undefined);
  return lhr;
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await look(JSON.parse(line)))}\n`);
}
