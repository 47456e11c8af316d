/** Rendered images. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { takeTurns } from './turns.mjs';

const require = createRequire(import.meta.url);
const { initWasm, Resvg } = require('@resvg/resvg-wasm');
await initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')));
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><circle cx="50" cy="50" r="40"/></svg>';
const make = () => new Resvg(svg);

function tidy() {
  const picture = make();
  picture.render().free();
  picture.free();
}
const kept = [];
function culprit() {
  const picture = make();
  kept.push(picture.render()); // planted
  picture.free();
}
takeTurns(tidy, culprit);
