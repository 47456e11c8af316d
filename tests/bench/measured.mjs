// The real programs that the benchmarks run: of tests/real, and of the folder beside this file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as compile from '../real/compile.mjs';
import { programs } from '../real/programs.mjs';
import { packageFile, temporaryFolder } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';

const folder = temporaryFolder();

/** The module that `compiler` makes of a file of the folder beside this one. */
function compiled(compiler, source) {
  const output = join(folder, `${source}.wasm`);
  compiler(join('../../bench/programs', source), output);
  return output;
}

/** What runs a module, see tests/real, and the module. */
const packaged = (name) => ({ runner: name, module: () => packageFile(programs[name].module) });
const command = (compiler, source) => ({
  runner: 'command',
  module: () => compiled(compiler, source),
});

/** A program as text of WebAssembly, of that folder. */
async function assembled(source) {
  const output = join(folder, `${source}.wasm`);
  writeFileSync(output, await parse(readFileSync(join(import.meta.dirname, 'programs', source), 'utf8')));
  return { runner: 'command', module: () => output };
}

/** Where one instruction takes much longer than others: clocks that count them are far off. */
export const bulk = {
  'memory.copy beside arithmetic': await assembled('copies.wat'),
  'memory.grow': await assembled('grows.wat'),
  'atomic.wait': await assembled('waits.wat'),
};

/** Where V8 inlines what takes most. */
export const inlining = { 'C, mix': command(compile.c, 'mix.c') };

process.env.WI_ROWS = 200000; // of SQLite

export const measured = {
  SQLite: { runner: 'sqljs', module: () => packageFile('sql.js/dist/sql-wasm-debug.wasm') },
  'C, words': command(compile.c, 'words.c'),
  'Rust, shapes': command(compile.rust, 'shapes.rs'),
  esbuild: packaged('esbuild'),
  ruby: packaged('ruby'),
  pyodide: packaged('pyodide'),
};
