/* The local server of the scorepad: Python in a worker, so that pages do not block. */

/** The functions of scoring/offline/server.py. @type {Record<string, (...args: string[]) => string>} */
let server;
/** @type {Promise<string> | undefined} */
let starting;

/* Pyodide fetches its files in parallel and awaits them one after the other. Without a network all of them fail, but the
   first error is enough. */
addEventListener("unhandledrejection", (event) => server || event.preventDefault());

/** Starts Python with the scorepad, from the stored memory of an earlier start if possible. Returns "resumed" or
 * "started".
 * @param {{ pyodide: string, pack: string }} addresses */
async function startPython({ pyodide, pack }) {
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
      server.resume_from_snapshot(ARCHIVE, FOLDER);
      return "resumed";
    } catch (error) {
      console.warn("The stored memory is not usable:", error);
      await caches.delete(MEMORY);
    }
  }
  const python = await loadPyodide({ indexURL: pyodide, _makeSnapshot: true });
  python.unpackArchive(archive, "zip", { extractDir: FOLDER });
  server = python.runPython(SETUP.replace("HERE", JSON.stringify(location.origin)) + SERVER);
  server.rehearse();
  // Before any match is loaded, so that the stored memory has no personal data.
  await storeMemory(python, pyodide, pack).catch((error) => {
    console.warn("Memory not stored:", error);
    return caches.delete(MEMORY);
  });
  return "started";
}

const [ARCHIVE, FOLDER] = ["/pad.zip", "/pad"];
const SETUP = `
import os, sys
sys.path.insert(0, "${FOLDER}")
sys.dont_write_bytecode = True
os.environ["DJANGO_SETTINGS_MODULE"] = "scoring.offline.settings"
os.environ["TRICKY_ORIGIN"] = HERE
# The browser runs Python inside an event loop, which Django would refuse.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"`;
const SERVER = `
from scoring.offline import server
server`;

/* The memory of Python after its first start, with everything imported, is cached for later starts. It is not compressed,
   because unpacking is slower than reading on slow phones. It is stored and read in pieces, because small phones have no
   room for a copy. */
const MEMORY = "tricky-memory";
const PIECE = 4 << 20; // bytes
const [KEY, LENGTH] = ["X-Key", "X-Bytes"];

/** The head that Pyodide makes, and the addresses of the pieces that follow.
 * @typedef {{ head: ArrayBuffer, length: number, pieceAddress: (start: number) => string }} StoredMemory */

/** @param {string} pyodide @param {string} pack */
const memoryAddress = (pyodide, pack) => `${pack}?of=${encodeURIComponent(pyodide)}`;

/** @param {string} address @param {string} key shared by all pieces of one memory
 * @returns {(start: number) => string} */
const pieceAddresses = (address, key) => (start) => `${address}&key=${key}&start=${start}`;

/** @param {string} pyodide @param {string} pack @returns {Promise<StoredMemory | undefined>} */
async function readMemory(pyodide, pack) {
  const address = memoryAddress(pyodide, pack);
  const stored = await self.caches?.match(address);
  const key = stored?.headers.get(KEY);
  if (!stored || !key) return undefined;
  const length = Number(stored.headers.get(LENGTH));
  return { head: await stored.arrayBuffer(), length, pieceAddress: pieceAddresses(address, key) };
}

/** Returns the head that Pyodide puts before the bytes of a stored memory.
 * @param {Python} python */
function readHead({ _module: module, makeMemorySnapshot }) {
  const bytes = module.HEAP8;
  module.HEAP8 = new Int8Array(0);
  try {
    return makeMemorySnapshot();
  } finally {
    // If the memory has grown meanwhile, the module already has a new array.
    if (!module.HEAP8.length) module.HEAP8 = bytes;
  }
}

/** @param {Python} python @param {string} pyodide @param {string} pack */
async function storeMemory(python, pyodide, pack) {
  if (!self.caches) return;
  const head = readHead(python);
  const bytes = python._module.HEAP8;
  const address = memoryAddress(pyodide, pack);
  // Another page may store its memory at the same time, and no two memories are the same.
  const key = crypto.randomUUID();
  const pieceAddress = pieceAddresses(address, key);
  await Promise.all([caches.delete(MEMORY), caches.delete("tricky-compiled")]);
  const cache = await caches.open(MEMORY);
  for (let start = 0; start < bytes.length; start += PIECE)
    await cache.put(pieceAddress(start), new Response(bytes.subarray(start, start + PIECE)));
  await cache.put(address, new Response(head, { headers: { [KEY]: key, [LENGTH]: String(bytes.length) } }));
}

/** Starts Python from a stored memory.
 * @param {(options: object) => Promise<Python>} loadPyodide @param {string} pyodide @param {StoredMemory} stored */
async function resume(loadPyodide, pyodide, { head, length, pieceAddress }) {
  const { default: create } = await import(`${pyodide}pyodide.asm.mjs`);
  return loadPyodide({
    indexURL: pyodide,
    _loadSnapshot: head,
    // The memory of the new module has to grow first.
    createPyodideModule: async (/** @type {object} */ settings) => {
      const module = await create(settings);
      module._emscripten_resize_heap(length);
      for (let start = 0; start < length;) {
        const piece = await caches.match(pieceAddress(start));
        const bytes = piece && new Int8Array(await piece.arrayBuffer());
        if (!bytes?.length) throw new Error(`No bytes from ${start} of ${length}`);
        module.HEAP8.set(bytes, start);
        start += bytes.length;
      }
      return module;
    },
  });
}

/* The first call is `start`; all others are functions of the server. */
addEventListener("message", async ({ data: { id, name, args } }) => {
  try {
    const startKind = await (name === "start" ? (starting ??= startPython(args[0])) : starting);
    postMessage({ id, value: name === "start" ? startKind : server[name](...args) });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
});
