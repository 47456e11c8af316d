import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ImageMagick, initializeImageMagick, MagickColor, MagickFormat } from '@imagemagick/magick-wasm';
await initializeImageMagick(readFileSync(createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm')));
ImageMagick.read(new MagickColor('#336699'), 64, 64, (image) => {
  image.rotate(30);
  image.blur(2, 1);
  image.write(MagickFormat.Bmp, (data) => console.log(image.width, image.height, data.reduce((a, b) => a + b)));
});
