import * as mupdf from 'mupdf';
const document = new mupdf.PDFDocument();
const font = document.addSimpleFont(new mupdf.Font('Helvetica'));
const page = document.addPage([0, 0, 200, 100], 0, { Font: { F: font } }, 'BT /F 20 Tf 20 40 Td (twenty packages) Tj ET');
document.insertPage(-1, page);
const drawn = document.loadPage(0);
console.log(drawn.toStructuredText().asText().trim(), drawn.toPixmap(mupdf.Matrix.identity, mupdf.ColorSpace.DeviceRGB).getPixels().reduce((a, b) => a + b));
