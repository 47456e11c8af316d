// esbuild minifies a large file; with a second argument, profiled into that file.
import fs, { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { packageFile } from '../support/tools.mjs';
import { profileModule } from './profiled.mjs';
import './repeatable.mjs';

const [, , modulePath, profilePath] = process.argv;
const bytes = readFileSync(modulePath);
const finish = profilePath && (await profileModule(bytes, profilePath));

globalThis.fs = fs; // what Go's glue expects of Node
globalThis.require = createRequire(import.meta.url);
globalThis.process = process;
await import(packageFile('esbuild-wasm/wasm_exec.js'));
const go = new globalThis.Go();
go.argv = ['esbuild', '--minify', '--log-level=error', packageFile('sql.js/dist/sql-asm.js')];
go.env = { TMPDIR: '/tmp' };
go.exit = (code) => {
  process.exitCode = code;
};
const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
await go.run(instance);
if (finish) finish();
