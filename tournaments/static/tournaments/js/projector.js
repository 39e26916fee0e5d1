/* The projector: pages that take turns, columns that move on. */
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

setTimeout(() => location.reload(), RELOAD);
