/* The projector: pages that take turns, or that arrow keys turn and the space bar holds. */

const TURN = 12000;
const ASK = 5000;
document.documentElement.classList.add("js");
const pages = [...document.querySelectorAll(".page")];
const dots = [...document.querySelectorAll(".pages i")];
let page = -1;
let turning = 0;

/* Shows another page, and no other for a while: for good where somebody holds it. */
function turn(by = 1) {
  page = (page + by + pages.length) % pages.length;
  for (const [number, shown] of pages.entries()) shown.classList.toggle("shown", number === page);
  for (const [number, dot] of dots.entries()) dot.classList.toggle("on", number === page);
}
function keepTurning() {
  clearInterval(turning);
  turning = setInterval(turn, TURN);
}
if (pages.length) {
  turn();
  keepTurning();
}
document.addEventListener("keydown", ({ key }) => {
  if (key === "ArrowRight" || key === "ArrowLeft") {
    turn(key === "ArrowRight" ? 1 : -1);
    keepTurning();
  } else if (key === " " && turning) {
    clearInterval(turning);
    turning = 0;
  } else if (key === " ") {
    keepTurning();
  }
});

/* Draws the page anew once something on it has changed; a lost network changes nothing. */
const live = document.querySelector("main")?.dataset.live ?? "";
/** What the server told last. @type {string | null} */
let mark = null;
async function ask() {
  const answer = await fetch(live).catch(() => null);
  if (!answer?.ok) return;
  const latest = await answer.text();
  if (mark !== null && latest !== mark) location.reload();
  mark = latest;
}
ask();
setInterval(ask, ASK);
