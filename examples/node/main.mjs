/**
 * Profiles SQLite while it works: an instrumented module that its own JavaScript loads.
 *
 *     node main.mjs sql.prof.wasm sql.wperf
 *
 * The loader is Emscripten's, whose hook instantiateWasm is the place to add the profiler.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import initSqlJs from 'sql.js/dist/sql-wasm-debug.js'; // its exports have readable names

const share = process.env.WASM_PERF_SHARE ?? '/usr/local/share/wasm_instrument';
const { createProfiler } = await import(pathToFileURL(join(share, 'js/engine/profiler.mjs')));

const [modulePath, profilePath] = process.argv.slice(2);
const module = readFileSync(modulePath);
const runtime = readFileSync(join(share, 'wasm_perf.wasm'));
const profiler = await createProfiler({ runtime, module });

function instantiateWasm(imports, done) {
  WebAssembly.instantiate(module, { ...imports, wasm_perf: profiler.imports }).then(
    ({ instance }) => done({ exports: profiler.wrapExports(instance.exports) }),
  );
  return {}; // the exports come later
}

const SQL = await initSqlJs({ instantiateWasm });
profiler.reset(); // what it did to start is of no interest here

const database = new SQL.Database();
database.run('CREATE TABLE number (value INTEGER, square INTEGER)');
const insert = database.prepare('INSERT INTO number VALUES (?, ?)');
for (let n = 0; n < 2000; n++) insert.run([n, n * n]);
insert.free();
const [{ values }] = database.exec(`
  SELECT a.value, b.value FROM number a JOIN number b ON a.square + b.square = 1000 * 1000
  WHERE a.value < b.value AND b.value < 1000 AND a.value > 0 LIMIT 3`);
console.log(values.map(([a, b]) => `${a}² + ${b}² = 1000²`).join('\n'));
database.close();

writeFileSync(profilePath, profiler.profile());
