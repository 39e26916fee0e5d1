/* What this phone sends carries a key that it made itself, so that sending it twice is
   harmless. (crypto.randomUUID would want https, which a club's network rarely has.) */

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/* Where a match is that this phone begins: 128 bits that nobody guesses. */
export function newAddress() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const address = btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").slice(0, 22);
  return address.startsWith("-") ? newAddress() : address;
}

/* What this phone is called in the log, so that a table knows which one writes. */
export function phoneName() {
  try {
    return (localStorage.phone ??= newKey().replace(/-/g, ""));
  } catch {
    return ""; // storage that is switched off: this phone writes without a name
  }
}

const makeKeys = () => document.querySelectorAll('input[name="key"]').forEach((input) => (input.value = newKey()));

export function startKeys() {
  makeKeys();
  for (const drawn of ["htmx:afterSwap", "tricky:drawn"]) document.addEventListener(drawn, makeKeys);
}
