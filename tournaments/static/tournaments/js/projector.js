/* The projector: pages that take turns, columns that move on, a clock of its own. */
const TURN = 12000;
const RELOAD = 60000;
document.documentElement.classList.add("js");
const pages = [...document.querySelectorAll(".page")];
let page = -1;

/* Shows the next page; a list wider than the screen moves on by one screen first. */
function turn() {
  const list = pages[page]?.querySelector("ul, ol");
  const more = list && list.scrollWidth - list.clientWidth - list.scrollLeft > 8;
  if (more) {
    list.scrollLeft += list.clientWidth;
    return;
  }
  pages[page]?.classList.remove("shown");
  page = (page + 1) % pages.length;
  pages[page].classList.add("shown");
  const first = pages[page].querySelector("ul, ol");
  if (first) first.scrollLeft = 0;
}
if (pages.length) {
  turn();
  setInterval(turn, TURN);
}

const clock = document.querySelector(".clock");
if (clock) {
  // The server's clock counts, whatever this machine believes the time to be.
  const offset = Date.parse(clock.dataset.now) - Date.now();
  const ends = Date.parse(clock.dataset.ends);
  const tick = () => {
    const left = Math.round((ends - Date.now() - offset) / 1000);
    const minutes = Math.floor(Math.max(left, 0) / 60);
    const seconds = String(Math.max(left, 0) % 60).padStart(2, "0");
    clock.textContent = left > 0 ? `${minutes}:${seconds}` : clock.dataset.over;
  };
  tick();
  setInterval(tick, 1000);
}
setTimeout(() => location.reload(), RELOAD);
