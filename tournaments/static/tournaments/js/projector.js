/* The projector: pages that take turns, columns that move on. */
const TURN = 12000;
const ASK = 5000;
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
