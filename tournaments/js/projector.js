/* The projector: pages that take turns, or that arrow keys turn and the space bar holds. */

const TURN = 12000;
const ASK = 5000;
document.documentElement.classList.add("js");
const pages = [...document.querySelectorAll(".page")];
const dots = [...document.querySelectorAll(".pages i")];
/* Which page it goes on with after it was drawn anew, and whether somebody holds that. */
const [kept, hold] = location.hash.slice(1).split("-");
let page = (Number(kept) || 0) - 1;
let turning = 0;
/* Whether there are other standings. They are drawn with the next page: however often they change, each page has its turn. */
let isOld = false;

/* Shows another page, and no other for a while: for good where somebody holds it. */
function turn(by = 1) {
  if (isOld) {
    drawAnew(page + by);
    return;
  }
  page = (page + by + pages.length) % pages.length;
  for (const [number, shown] of pages.entries()) shown.classList.toggle("is-shown", number === page);
  for (const [number, dot] of dots.entries()) dot.classList.toggle("is-current", number === page);
}
function keepTurning() {
  clearInterval(turning);
  turning = setInterval(turn, TURN);
}
if (pages.length) {
  turn();
  if (!hold) keepTurning();
}
document.addEventListener("keydown", ({ key }) => {
  if (key === "ArrowRight" || key === "ArrowLeft") {
    keepTurning();
    turn(key === "ArrowRight" ? 1 : -1);
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
  const answer = await fetch(`${live}?v=${mark ?? ""}`).catch(() => null);
  if (!answer?.ok || answer.status === 204) return;
  const latest = await answer.text();
  const before = mark ?? latest;
  mark = latest;
  if (latest === before) return;
  if (latest.split(".")[0] !== before.split(".")[0]) drawAnew(0);
  else if (turning && pages.length > 1) isOld = true;
  else drawAnew(page, turning ? "" : "-held");
}
/** Draws everything anew, and goes on with a page, which is held or not.
 * @param {number} next */
function drawAnew(next, held = "") {
  history.replaceState(null, "", `#${(next + pages.length) % pages.length || 0}${held}`);
  location.reload();
}
ask();
setInterval(ask, ASK);
