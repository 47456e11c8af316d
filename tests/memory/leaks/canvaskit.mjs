/** Images. */
import { createRequire } from 'node:module';

import { takeTurns } from './turns.mjs';

const kit = await createRequire(import.meta.url)('canvaskit-wasm')();

function make() {
  const surface = kit.MakeSurface(50, 50);
  surface.getCanvas().clear(kit.WHITE);
  surface.flush();
  const image = surface.makeImageSnapshot();
  surface.dispose();
  return image;
}
function tidy() {
  make().delete();
}
const kept = [];
function culprit() {
  kept.push(make()); // planted
}
takeTurns(tidy, culprit);
