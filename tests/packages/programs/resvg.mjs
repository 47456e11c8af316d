import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
const circles = Array.from({ length: 200 }, (_, i) => `<circle cx="${i}" cy="${(i * 37) % 200}" r="${i % 20}" fill="rgb(${i},90,20)"/>`);
const png = new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">${circles.join('')}</svg>`).render().asPng();
console.log(png.length, createHash('sha256').update(png).digest('hex'));
