#!/usr/bin/env node
/* Bundles our scripts and style sheets with their imports into static files. With --check it only compares. With --watch
   it bundles again after each change, until its standard input ends. */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context } from "esbuild";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** The entry points by app. */
const SCRIPTS = {
  scoring: ["app", "clock", "codes", "copy", "sw", "trust", "worker"],
  tournaments: ["desk", "forms", "frame", "frames", "my_night", "players", "projector"],
};

/** @param {string} app @param {string[]} names @returns {import("esbuild").BuildOptions} */
const createOptions = (app, names) => ({
  absWorkingDir: ROOT,
  entryPoints: [...names.map((name) => `${app}/js/${name}.js`), `${app}/css/*.css`],
  entryNames: "[name]",
  outdir: `${app}/static/${app}/bundles`,
  external: ["*.woff2"],
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome111", "firefox115", "safari16.4"], // the oldest browsers that we support
  logLevel: "warning",
});
const builds = Object.entries(SCRIPTS).map(([app, names]) => createOptions(app, names));

/** Returns the bundles that differ from their sources. @returns {Promise<string[]>} */
async function findStale() {
  const built = await Promise.all(builds.map((options) => build({ ...options, write: false })));
  const stale = built.flatMap(({ outputFiles = [] }) =>
    outputFiles.map(async ({ path, text }) => ((await readFile(path, "utf8").catch(() => "")) === text ? [] : [path])),
  );
  return (await Promise.all(stale)).flat();
}

if (process.argv.includes("--check")) {
  const stale = await findStale();
  if (stale.length) console.error("Run `npm run build` and commit:", ...stale);
  process.exitCode = stale.length ? 1 : 0;
} else if (process.argv.includes("--watch")) {
  for (const options of builds) await (await context({ ...options, logLevel: "info" })).watch();
  process.stdin.resume().on("end", () => process.exit());
} else await Promise.all(builds.map(build));
