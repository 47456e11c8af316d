// A program by Emscripten, which brings its own JavaScript beside the module. With a second
// argument, profiled into that file.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import { profileModule } from './profiled.mjs';

const [, , modulePath, profilePath] = process.argv;
const bytes = readFileSync(modulePath);
const finish = profilePath && (await profileModule(bytes, profilePath));

const glue = resolve(modulePath).replace(/(\.prof|\.oracle|\.embed)?\.wasm$/, '.js');
const createProgram = createRequire(import.meta.url)(glue);
await createProgram({ wasmBinary: bytes });
if (finish) finish();
