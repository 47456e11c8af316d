/** Layouts. */
import Yoga from 'yoga-layout';

import { takeTurns } from './turns.mjs';

function make() {
  const root = Yoga.Node.create();
  for (let i = 0; i < 20; i++) root.insertChild(Yoga.Node.create(), i);
  root.calculateLayout(100, 100);
  return root;
}
function tidy() {
  make().freeRecursive();
}
const kept = [];
function culprit() {
  kept.push(make()); // planted
}
takeTurns(tidy, culprit);
