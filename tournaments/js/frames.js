/* The preview of what is written on the club's own site.
   It is as high as what it shows. It is of this site, so that it need not tell. */
const preview = document.querySelector("iframe");
function fit() {
  const shown = preview?.contentDocument?.querySelector("body.is-framed");
  if (!preview || !shown) return;
  const measure = () => (preview.style.height = `${Math.ceil(shown.getBoundingClientRect().height) + 2}px`);
  new ResizeObserver(measure).observe(shown);
}
preview?.addEventListener("load", fit);
fit();
