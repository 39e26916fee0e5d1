/* A round's clock: the server's time counts, whatever this machine believes it to be. */
const clock = document.querySelector(".clock");
if (clock) {
  const offset = Date.parse(clock.dataset.now) - Date.now();
  const ends = Date.parse(clock.dataset.ends);
  const paused = clock.dataset.paused ? Date.parse(clock.dataset.paused) : null;
  const tick = () => {
    const left = Math.round((ends - (paused ?? Date.now() + offset)) / 1000);
    const minutes = Math.floor(Math.max(left, 0) / 60);
    const seconds = String(Math.max(left, 0) % 60).padStart(2, "0");
    clock.textContent = left > 0 ? `${minutes}:${seconds}` : clock.dataset.over;
    if (paused) clock.textContent += " ⏸";
  };
  tick();
  setInterval(tick, 1000);
}
