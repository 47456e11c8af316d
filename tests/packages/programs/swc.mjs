import { transformSync } from '@swc/wasm';
for (let i = Number(process.argv[2] ?? 1); i > 0; i--) {
  const { code } = transformSync('class A { #x = 1; get x() { return this.#x ?? 2; } }', { jsc: { target: 'es2018' }, minify: true });
  if (i === 1) console.log(code);
}
