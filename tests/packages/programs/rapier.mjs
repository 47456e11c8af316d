import rapier from '@dimforge/rapier3d-compat';
await rapier.init();
const world = new rapier.World({ x: 0, y: -9.81, z: 0 });
world.createCollider(rapier.ColliderDesc.cuboid(10, 0.1, 10));
const bodies = Array.from({ length: 20 }, (_, i) => {
  const body = world.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(i * 0.1, 1 + i, 0));
  world.createCollider(rapier.ColliderDesc.ball(0.5), body);
  return body;
});
for (let i = 60 * Number(process.argv[2] ?? 1); i > 0; i--) world.step();
console.log(bodies.map((body) => body.translation().y.toFixed(6)).join());
