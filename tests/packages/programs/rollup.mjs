import { rollup } from '@rollup/wasm-node';
const files = { main: 'import { used } from "other"; console.log(used(1));', other: 'export const used = (x) => x + 1; export const unused = () => 2;' };
const bundle = await rollup({ input: 'main', plugins: [{ name: 'files', resolveId: (id) => id, load: (id) => files[id] }] });
console.log((await bundle.generate({ format: 'es' })).output[0].code);
