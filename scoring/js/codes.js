/* Draws and reads QR codes: fetched by whoever moves a match to another phone. */

export { encodeQR } from "qr";
export { BarcodeDetector } from "qr/decode.js";
