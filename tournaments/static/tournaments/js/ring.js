/* Two notes, which no file has to be fetched for. */
export function ring() {
  const audio = new AudioContext();
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
