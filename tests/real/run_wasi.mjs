// A WASI command that may write to a folder, if any, as any host runs it: MODULE [FOLDER].
// Its environment is the object in WASI_ENV.
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const [, , modulePath, folder] = process.argv;
const wasi = new WASI({
  version: 'preview1',
  args: ['program', 'argument'],
  env: JSON.parse(process.env.WASI_ENV ?? '{}'),
  preopens: folder ? { '/': folder } : {},
  returnOnExit: true,
});
const bytes = readFileSync(modulePath);
const { instance } = await WebAssembly.instantiate(bytes, wasi.getImportObject());
process.exitCode = wasi.start(instance);
