/* Fits the height of the preview of a frame. The frame is of the same origin, so that its height can be read directly. */
const preview = document.querySelector("iframe");
function fitHeight() {
  const body = preview?.contentDocument?.querySelector("body.is-framed");
  if (!preview || !body) return;
  const measure = () => (preview.style.height = `${Math.ceil(body.getBoundingClientRect().height) + 2}px`);
  new ResizeObserver(measure).observe(body);
}
preview?.addEventListener("load", fitHeight);
fitHeight();
