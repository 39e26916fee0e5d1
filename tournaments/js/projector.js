/* The projector shows its pages in rotation. Arrow keys turn the page, the space bar pauses. */

const PAGE_TIME = 12000; // milliseconds
const POLL_INTERVAL = 5000; // milliseconds
document.documentElement.classList.add("js");
const pages = [...document.querySelectorAll(".page")];
const dots = [...document.querySelectorAll(".pages i")];
/* The hash has the page to continue with after a reload, and whether the rotation is paused. */
const [firstPage, paused] = location.hash.slice(1).split("-");
let page = (Number(firstPage) || 0) - 1;
let rotation = 0;
/* Whether the standings have changed. They are loaded with the next page, so that frequent changes do not stop the
   rotation. */
let isOutdated = false;

function turnPage(step = 1) {
  if (isOutdated) {
    reloadAt(page + step);
    return;
  }
  page = (page + step + pages.length) % pages.length;
  for (const [number, shown] of pages.entries()) shown.classList.toggle("is-shown", number === page);
  for (const [number, dot] of dots.entries()) dot.classList.toggle("is-current", number === page);
}
function startRotation() {
  clearInterval(rotation);
  rotation = setInterval(turnPage, PAGE_TIME);
}
if (pages.length) {
  turnPage();
  if (!paused) startRotation();
}
document.addEventListener("keydown", ({ key }) => {
  if (key === "ArrowRight" || key === "ArrowLeft") {
    startRotation();
    turnPage(key === "ArrowRight" ? 1 : -1);
  } else if (key === " " && rotation) {
    clearInterval(rotation);
    rotation = 0;
  } else if (key === " ") {
    startRotation();
  }
});

/* Polls for changes; without a network, the page stays. */
const liveUrl = document.querySelector("main")?.dataset.live ?? "";
/** The last version from the server. @type {string | null} */
let version = null;
async function poll() {
  const answer = await fetch(`${liveUrl}?v=${version ?? ""}`).catch(() => null);
  if (!answer?.ok || answer.status === 204) return;
  const latest = await answer.text();
  const lastVersion = version ?? latest;
  version = latest;
  if (latest === lastVersion) return;
  if (latest.split(".")[0] !== lastVersion.split(".")[0]) reloadAt(0);
  else if (rotation && pages.length > 1) isOutdated = true;
  else reloadAt(page, rotation ? "" : "-paused");
}
/** Reloads everything and continues with a page, paused or not.
 * @param {number} next */
function reloadAt(next, suffix = "") {
  history.replaceState(null, "", `#${(next + pages.length) % pages.length || 0}${suffix}`);
  location.reload();
}
poll();
setInterval(poll, POLL_INTERVAL);
