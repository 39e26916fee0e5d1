/* The scorepad's own server, on this phone: Python in a worker, so that no page waits. */

/** The functions of Python that answer. @type {Record<string, (...args: string[]) => string>} */
let server;
/** @type {Promise<void> | undefined} */
let begun;

/* Pyodide fetches its parts side by side and waits for one of them after the other: with the network
   all fail, and what `begin` rejects with tells of the rest as well. */
addEventListener("unhandledrejection", (event) => server || event.preventDefault());

/** Starts Python with the scorepad in it.
 * @param {{ pyodide: string, pack: string }} addresses */
async function begin({ pyodide, pack }) {
  const [{ loadPyodide }, archive] = await Promise.all([
    import(`${pyodide}pyodide.mjs`),
    fetch(pack).then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(`${answer.status} ${pack}`)))),
  ]);
  const python = await loadPyodide({ indexURL: pyodide });
  python.unpackArchive(archive, "zip", { extractDir: "/pad" });
  const isCompiled = await unpackCompiled(python, pack);
  server = python.runPython(`
import os, sys
sys.path.insert(0, "/pad")
# What was compiled is known by the time of its source, and unpacking gives it another.
for folder, _folders, names in os.walk("/pad"):
    for name in names:
        os.utime(f"{folder}/{name}", (0, 0))
os.makedirs("/compiled", exist_ok=True)
sys.pycache_prefix, sys.dont_write_bytecode = "/compiled", False
os.environ["DJANGO_SETTINGS_MODULE"] = "scoring.offline.settings"
os.environ["TRICKY_ORIGIN"] = ${JSON.stringify(location.origin)}
# The browser runs Python inside an event loop, though nothing there waits for one.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
from scoring.offline import server
server`);
  if (!isCompiled) setTimeout(() => keepCompiled(python, pack).catch((error) => console.warn("Compiled anew next time:", error)), QUIET);
}

/* What Python compiled of an archive is kept for the next start, where pages are kept. */
const COMPILED = "tricky-compiled";
const QUIET = 5000;

/** @param {Python} python @param {string} pack */
async function unpackCompiled(python, pack) {
  const compiled = await self.caches?.match(`${pack}compiled`);
  if (compiled) python.unpackArchive(await compiled.arrayBuffer(), "zip", { extractDir: "/compiled" });
  return Boolean(compiled);
}

/** @param {Python} python @param {string} pack */
async function keepCompiled(python, pack) {
  if (!self.caches) return;
  python.runPython('import shutil; shutil.make_archive("/compiled", "zip", "/compiled")');
  await caches.delete(COMPILED);
  await (await caches.open(COMPILED)).put(`${pack}compiled`, new Response(python.FS.readFile("/compiled.zip")));
}

/* One request after the other: `begin` first, then whatever the server has. */
addEventListener("message", async ({ data: { id, name, args } }) => {
  try {
    if (name === "begin") await (begun ??= begin(args[0]));
    else await begun;
    postMessage({ id, value: name === "begin" ? true : server[name](...args) });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
});
