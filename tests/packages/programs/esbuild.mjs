import { transform } from 'esbuild-wasm';
const { code } = await transform('export const f = (value) => value?.deep ?? `${value} is not deep`;\n'.repeat(1), { minify: true, target: 'es2017' });
console.log(code);
process.exit(0);
