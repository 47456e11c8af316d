// A WASI command; with a second argument, profiled into that file.
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

import { profileModule } from './profiled.mjs';
import { repeatableWasi } from './repeatable.mjs';

const [, , modulePath, profilePath] = process.argv;
const bytes = readFileSync(modulePath);
const finish = profilePath && (await profileModule(bytes, profilePath));

const wasi = new WASI({ version: 'preview1', args: ['program', 'argument'], returnOnExit: true });
const { wasi_snapshot_preview1: functions } = wasi.getImportObject();
let instance;
const imports = { ...functions, ...repeatableWasi(() => instance.exports.memory) };
({ instance } = await WebAssembly.instantiate(bytes, { wasi_snapshot_preview1: imports }));
console.log('exit code', wasi.start(instance));
if (finish) finish();
