import Module from 'manifold-3d';
const wasm = await Module();
wasm.setup();
const { cube, sphere } = wasm.Manifold;
const part = cube([10, 10, 10], true).subtract(sphere(6, 32));
console.log(part.numTri(), part.volume().toFixed(6));
