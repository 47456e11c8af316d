/** Documents. */
import { free, from } from '@automerge/automerge';

import { takeTurns } from './turns.mjs';

const make = () => from({ items: Array.from({ length: 20 }, (_, i) => `item ${i}`) });

function tidy() {
  free(make());
}
const kept = [];
function culprit() {
  kept.push(make()); // planted
}
takeTurns(tidy, culprit);
