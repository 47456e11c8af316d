import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const file = 'box2d-wasm/dist/umd/Box2D';
// Its own way to the file takes newer versions of Node.js, which have fetch, for a browser.
const box2d = await require(`${file}.js`)({ wasmBinary: readFileSync(require.resolve(`${file}.wasm`)) });
const { b2Vec2, b2World, b2BodyDef, b2PolygonShape, b2_dynamicBody, destroy } = box2d;
const gravity = new b2Vec2(0, -10), world = new b2World(gravity), zero = new b2Vec2(0, 0);

function addBox(x, y, half, type, density) {
  const definition = new b2BodyDef(), place = new b2Vec2(x, y), shape = new b2PolygonShape();
  if (type) definition.set_type(type);
  definition.set_position(place);
  shape.SetAsBox(half, half);
  const body = world.CreateBody(definition);
  body.CreateFixture(shape, density);
  for (const one of [definition, place, shape]) destroy(one);
  return body;
}

addBox(0, -50, 50, undefined, 0);
const boxes = Array.from({ length: 60 }, (_, i) => addBox((i % 3) * 0.3, 1 + i * 1.2, 0.5, b2_dynamicBody, 1));
for (let i = 0; i < 240; i++) world.Step(1 / 60, 8, 3);
console.log(boxes.map((box) => `${box.GetPosition().get_x().toFixed(3)} ${box.GetPosition().get_y().toFixed(3)}`).join('; '));
destroy(zero);
