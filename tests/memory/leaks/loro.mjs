/** Documents. */
import { createRequire } from 'node:module';

import { takeTurns } from './turns.mjs';

const { LoroDoc } = createRequire(import.meta.url)('loro-crdt');

function make() {
  const doc = new LoroDoc();
  const text = doc.getText('text');
  text.insert(0, 'hello world '.repeat(100));
  text.free();
  doc.commit();
  return doc;
}
function tidy() {
  make().free();
}
const kept = [];
function culprit() {
  kept.push(make()); // planted
}
takeTurns(tidy, culprit);
