// swc minifies a large file, then compiles TypeScript; with a second argument, profiled into that
// file.
import { createRequire } from 'node:module';

import { packageFile } from '../support/tools.mjs';
import { profileModule } from './profiled.mjs';
import './repeatable.mjs';

const fs = createRequire(import.meta.url)('node:fs');
const { readFileSync } = fs;
const [, , modulePath, profilePath] = process.argv;
const finish = profilePath && (await profileModule(readFileSync(modulePath), profilePath));

const own = packageFile('@swc/wasm/wasm_bg.wasm'); // the package reads no other
fs.readFileSync = (path, ...rest) => readFileSync(path === own ? modulePath : path, ...rest);
const { default: swc } = await import(packageFile('@swc/wasm/wasm.js'));

const source = readFileSync(packageFile('sql.js/dist/sql-asm.js'), 'utf8');
console.log(swc.minifySync(source, { compress: false, mangle: true }).code);
const typescript = `
  enum Color { Red, Green }
  export async function* f<T>(this: Window, ...items: T[]): AsyncGenerator<T> {
    for await (const item of items ?? []) yield item satisfies T;
    console.log(Color.Green);
  }`;
console.log(swc.transformSync(typescript, { jsc: { target: 'es5', parser: { syntax: 'typescript' } } }).code);
try {
  swc.transformSync('let = ;;', {});
} catch (error) {
  console.log(String(error));
}
if (finish) finish();
