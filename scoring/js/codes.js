/* Draws and reads QR codes. Only loaded to move a match to another phone. */

export { encodeQR } from "qr";
export { BarcodeDetector } from "qr/decode.js";
