/* What an open page does where nothing tells the device: it is heard and felt, if somebody wants that. */

const SHAKE = [200, 100, 200]; // milliseconds
const LATE = 2000; // milliseconds

/** @type {AudioContext | undefined} */
let audio;

/* Two notes, which no file has to be fetched for. */
async function ring() {
  const since = Date.now();
  audio ??= new AudioContext();
  // Silent until a tap, on a page that was loaded anew: whoever taps sees by then what was news.
  await audio.resume();
  if (Date.now() - since > LATE) return;
  for (const [place, pitch] of [660, 880].entries()) {
    const note = audio.createOscillator();
    const loud = audio.createGain();
    loud.gain.value = 0.2;
    note.frequency.value = pitch;
    note.connect(loud).connect(audio.destination);
    note.start(audio.currentTime + place * 0.25);
    note.stop(audio.currentTime + place * 0.25 + 0.2);
  }
}

/** Lets the page's switch decide, as it was left under this name; a private window remembers nothing.
 * Returns what sounds and shakes where that is wanted.
 * @param {string} kept */
export function startSound(kept) {
  let isWanted = false;
  try {
    isWanted = localStorage.getItem(kept) === "1";
  } catch {
    // Asked for anew on each page.
  }
  const tell = () => {
    if (!isWanted) return;
    void ring();
    navigator.vibrate?.(SHAKE);
  };
  const allow = () => isWanted && void (audio ??= new AudioContext()).resume();
  for (const tap of ["pointerup", "keyup"]) addEventListener(tap, allow);

  const toggle = () => {
    isWanted = !isWanted;
    try {
      localStorage.setItem(kept, isWanted ? "1" : "0");
    } catch {
      // Remembered for this page alone.
    }
    tell();
  };
  const offer = () => offerSwitch(() => isWanted, toggle);
  offer();
  // A night that is opened again brings its switch back.
  document.addEventListener("htmx:afterSwap", offer);
  return tell;
}

/** Shows the page's switch, unless it is there already.
 * @param {() => boolean} isOn @param {() => void} toggle */
function offerSwitch(isOn, toggle) {
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-sound]"));
  if (!button?.hidden) return;
  const show = () => button.setAttribute("aria-pressed", String(isOn()));
  button.hidden = false;
  const fold = button.closest("details");
  if (fold) fold.hidden = false;
  button.addEventListener("click", () => {
    toggle();
    show();
  });
  show();
}
