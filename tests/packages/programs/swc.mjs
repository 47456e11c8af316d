import { transformSync } from '@swc/wasm';
console.log(transformSync('class A { #x = 1; get x() { return this.#x ?? 2; } }', { jsc: { target: 'es2018' }, minify: true }).code);
