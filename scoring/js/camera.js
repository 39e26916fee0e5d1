/* Reads QR codes with the camera of this device. */

const CAMERA = { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 960 } };
const SCAN_PAUSE = 150; // milliseconds
const REPEAT_AFTER = 3000; // milliseconds out of view

/** Shows the camera's picture and calls `useCode` for each code, until the video leaves the page. A code counts again once
 * it was out of view. The reader is our own, because few browsers have one. Throws without a camera.
 * @param {HTMLVideoElement} video @param {typeof import("./codes.js").BarcodeDetector} BarcodeDetector
 * @param {(text: string) => unknown} useCode */
export async function readCodes(video, BarcodeDetector, useCode) {
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  const camera = await navigator.mediaDevices.getUserMedia({ video: CAMERA });
  video.srcObject = camera;
  video.hidden = false;
  await video.play();
  /** @type {Map<string, number>} */
  const lastSeen = new Map();
  const scan = async () => {
    if (!video.isConnected) return camera.getTracks().forEach((track) => track.stop());
    const [code] = await detector.detect(video);
    if (code) {
      const isNew = Date.now() - (lastSeen.get(code.rawValue) ?? 0) > REPEAT_AFTER;
      lastSeen.set(code.rawValue, Date.now());
      if (isNew) await useCode(code.rawValue);
    }
    setTimeout(scan, SCAN_PAUSE);
  };
  scan();
}
