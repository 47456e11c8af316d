/** Worlds. */
import rapier from '@dimforge/rapier2d-compat';

import { takeTurns } from './turns.mjs';

await rapier.init();
const { ColliderDesc, RigidBodyDesc, World } = rapier;

function make() {
  const world = new World({ x: 0, y: -9.81 });
  for (let i = 0; i < 10; i++) {
    world.createCollider(ColliderDesc.ball(0.5), world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, i)));
  }
  world.step();
  return world;
}
function tidy() {
  make().free();
}
const kept = [];
function culprit() {
  kept.push(make()); // planted
}
takeTurns(tidy, culprit);
