// A WASI command that may write to a folder, as any host runs it: MODULE FOLDER.
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const [, , modulePath, folder] = process.argv;
const args = ['program', 'argument'];
const wasi = new WASI({ version: 'preview1', args, preopens: { '/': folder }, returnOnExit: true });
const bytes = readFileSync(modulePath);
const { instance } = await WebAssembly.instantiate(bytes, wasi.getImportObject());
wasi.start(instance);
