/* The scorepad's own server, on this phone: Python in a worker, so that no page waits. */

/** The functions of Python that answer. @type {Record<string, (...args: string[]) => string>} */
let server;
/** @type {Promise<string> | undefined} */
let begun;

/* Pyodide fetches its parts side by side and waits for one of them after the other: with the network
   all fail, and what `begin` rejects with tells of the rest as well. */
addEventListener("unhandledrejection", (event) => server || event.preventDefault());

/** Starts Python with the scorepad in it, from what was kept of an earlier start where it can; returns which.
 * @param {{ pyodide: string, pack: string }} addresses */
async function begin({ pyodide, pack }) {
  const [{ loadPyodide }, archive, memory] = await Promise.all([
    import(`${pyodide}pyodide.mjs`),
    fetch(pack).then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(`${answer.status} ${pack}`)))),
    readMemory(pyodide, pack).catch(() => undefined),
  ]);
  if (memory) {
    try {
      const python = await resume(loadPyodide, pyodide, memory);
      python.FS.writeFile(ARCHIVE, new Uint8Array(archive));
      server = python.runPython(SERVER);
      server.resume(ARCHIVE, FOLDER);
      return "resumed";
    } catch (error) {
      console.warn("What was kept of Python is of no use:", error);
      await caches.delete(MEMORY);
    }
  }
  const python = await loadPyodide({ indexURL: pyodide, _makeSnapshot: true });
  python.unpackArchive(archive, "zip", { extractDir: FOLDER });
  server = python.runPython(BEGIN.replace("HERE", JSON.stringify(location.origin)) + SERVER);
  server.rehearse();
  // Before it is told of any match: only what everybody has is kept.
  await keepMemory(python, pyodide, pack).catch((error) => {
    console.warn("Starts from nothing next time, too:", error);
    return caches.delete(MEMORY);
  });
  return "begun";
}

const [ARCHIVE, FOLDER] = ["/pad.zip", "/pad"];
const BEGIN = `
import os, sys
sys.path.insert(0, "${FOLDER}")
sys.dont_write_bytecode = True
os.environ["DJANGO_SETTINGS_MODULE"] = "scoring.offline.settings"
os.environ["TRICKY_ORIGIN"] = HERE
# The browser runs Python inside an event loop, though nothing there waits for one.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"`;
const SERVER = `
from scoring.offline import server
server`;

/* Python's memory after its first start is kept for the next ones, where pages are kept: everything is
   imported in it. To unpack it would take a slow phone longer than to read all of it. It is kept in pieces, stored
   from where it is and read to where it belongs: a second time there would be no room for it on small phones. */
const MEMORY = "tricky-memory";
const PIECE = 4 << 20; // bytes
const [KEY, LENGTH] = ["X-Key", "X-Bytes"];

/** What was kept: the head that Pyodide makes, and where to find the bytes that follow it.
 * @typedef {{ head: ArrayBuffer, length: number, addressOf: (start: number) => string }} Kept */

/** @param {string} pyodide @param {string} pack */
const addressOfMemory = (pyodide, pack) => `${pack}?of=${encodeURIComponent(pyodide)}`;

/** @param {string} address @param {string} key that all pieces of one memory have
 * @returns {(start: number) => string} */
const piecesOf = (address, key) => (start) => `${address}&key=${key}&start=${start}`;

/** @param {string} pyodide @param {string} pack @returns {Promise<Kept | undefined>} */
async function readMemory(pyodide, pack) {
  const address = addressOfMemory(pyodide, pack);
  const kept = await self.caches?.match(address);
  const key = kept?.headers.get(KEY);
  if (!kept || !key) return undefined;
  const length = Number(kept.headers.get(LENGTH));
  return { head: await kept.arrayBuffer(), length, addressOf: piecesOf(address, key) };
}

/** Returns what Pyodide puts before the bytes of a memory that is kept.
 * @param {Python} python */
function headOf({ _module: module, makeMemorySnapshot }) {
  const bytes = module.HEAP8;
  module.HEAP8 = new Int8Array(0);
  try {
    return makeMemorySnapshot();
  } finally {
    // Where it has grown meanwhile, it is another one.
    if (!module.HEAP8.length) module.HEAP8 = bytes;
  }
}

/** @param {Python} python @param {string} pyodide @param {string} pack */
async function keepMemory(python, pyodide, pack) {
  if (!self.caches) return;
  const head = headOf(python);
  const bytes = python._module.HEAP8;
  const address = addressOfMemory(pyodide, pack);
  // Another page may do so as well, and no two memories are the same.
  const key = crypto.randomUUID();
  const addressOf = piecesOf(address, key);
  await Promise.all([caches.delete(MEMORY), caches.delete("tricky-compiled")]);
  const cache = await caches.open(MEMORY);
  for (let start = 0; start < bytes.length; start += PIECE)
    await cache.put(addressOf(start), new Response(bytes.subarray(start, start + PIECE)));
  await cache.put(address, new Response(head, { headers: { [KEY]: key, [LENGTH]: String(bytes.length) } }));
}

/** Returns Python as it was.
 * @param {(options: object) => Promise<Python>} loadPyodide @param {string} pyodide @param {Kept} kept */
async function resume(loadPyodide, pyodide, { head, length, addressOf }) {
  const { default: create } = await import(`${pyodide}pyodide.asm.mjs`);
  return loadPyodide({
    indexURL: pyodide,
    _loadSnapshot: head,
    // Its memory is as large as at first: it has to have grown before.
    createPyodideModule: async (/** @type {object} */ settings) => {
      const module = await create(settings);
      module._emscripten_resize_heap(length);
      for (let start = 0; start < length;) {
        const piece = await caches.match(addressOf(start));
        const bytes = piece && new Int8Array(await piece.arrayBuffer());
        if (!bytes?.length) throw new Error(`No bytes from ${start} of ${length}`);
        module.HEAP8.set(bytes, start);
        start += bytes.length;
      }
      return module;
    },
  });
}

/* One request after the other: `begin` first, then whatever the server has. */
addEventListener("message", async ({ data: { id, name, args } }) => {
  try {
    const how = await (name === "begin" ? (begun ??= begin(args[0])) : begun);
    postMessage({ id, value: name === "begin" ? how : server[name](...args) });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
});
