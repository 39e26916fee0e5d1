/* What only sheets need: they follow by themselves, and tell who has the pen. */

import { startLive } from "./live.js";
import { startPen } from "./phone/pen.js";

/** Ends what follows the page that was drawn before. @type {AbortController | undefined} */
let drawn;
function begin() {
  drawn?.abort();
  drawn = new AbortController();
  startLive(drawn.signal);
}
document.addEventListener("tricky:drawn", begin);
begin();
startPen();
