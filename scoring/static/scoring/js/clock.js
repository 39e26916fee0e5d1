/* Clocks that run down: the server's time counts, whatever this machine believes it is. */
const offsets = new WeakMap();

/* Returns the milliseconds by which the server is ahead, as the element was made. */
function offset(clock) {
  if (!offsets.has(clock)) offsets.set(clock, Date.parse(clock.dataset.now) - Date.now());
  return offsets.get(clock);
}

/* Writes what is left, or that time is over. */
function draw(clock) {
  const paused = clock.dataset.paused ? Date.parse(clock.dataset.paused) : null;
  const now = paused ?? Date.now() + offset(clock);
  const left = Math.round((Date.parse(clock.dataset.ends) - now) / 1000);
  const minutes = Math.floor(Math.max(left, 0) / 60);
  const seconds = String(Math.max(left, 0) % 60).padStart(2, "0");
  const text = left > 0 ? `${minutes}:${seconds}` : clock.dataset.over;
  clock.textContent = paused ? `${text} ⏸` : text;
}

const tick = () => document.querySelectorAll(".clock[data-ends]").forEach(draw);
tick();
setInterval(tick, 1000);
for (const changed of ["htmx:afterSwap", "tricky:drawn"]) document.addEventListener(changed, tick);
