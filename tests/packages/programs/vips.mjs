import Vips from 'wasm-vips';
const vips = await Vips({ dynamicLibraries: [] });
const image = vips.Image.gaussnoise(64, 64, { mean: 128, sigma: 0, seed: 1 }).gaussblur(2).invert();
console.log(image.width, image.avg());
vips.shutdown();
process.exit(0); // its threads wait for ever
