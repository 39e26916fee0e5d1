/* A page in a frame sends its height to the page around it: {tricky: "height", height: 412}, in pixels. To any origin,
   because it sends nothing else. */

const sendHeight = () => {
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  parent.postMessage({ tricky: "height", height }, "*");
};
if (parent !== window) {
  new ResizeObserver(sendHeight).observe(document.body);
  // Again after loading, because the page around it may not have listened yet.
  addEventListener("load", sendHeight);
}
