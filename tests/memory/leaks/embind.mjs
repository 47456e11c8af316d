/** Objects of shapes.cpp, which counts their bytes itself. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { takeTurns } from './turns.mjs';

const load = createRequire(import.meta.url)('./shapes.js');
const { Shape, liveBytes } = await load({ wasmBinary: readFileSync(new URL('shapes.wasm', import.meta.url)) });
const make = (i) => new Shape(10 * i + 5);

function tidy(i) {
  make(i).delete();
}
const kept = [];
function culprit(i) {
  kept.push(make(i)); // planted
}
takeTurns(tidy, culprit);
console.log(liveBytes());
