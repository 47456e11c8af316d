// SQLite (sql.js) as it is or instrumented, and what the benchmarks have it do.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { embeddedProfiler } from '../js/embedded.mjs';
import { packageFile, temporaryFolder, tool } from '../support/tools.mjs';
import { instrument } from './measure.mjs';

const original = packageFile('sql.js/dist/sql-wasm.wasm');
const temporary = temporaryFolder();
const { createProfiler } = await import(tool('js/engine/profiler.mjs'));
const runtime = readFileSync(tool('wasm_perf.wasm'));
const require = createRequire(import.meta.url);

/**
 * An instance of its own; `options` are wasm-instrument's, null: not instrumented. `hooks` take the place
 * of the profiler's, `times` are of a run without any.
 */
export async function load(options, { hooks, times } = {}) {
  const bytes = readFileSync(
    options ? instrument(original, join(temporary, 'out.wasm'), ...options) : original,
  );
  const isEmbedded = options?.includes('--embed');
  const profiler = isEmbedded
    ? embeddedProfiler()
    : options && (await createProfiler({ runtime, module: bytes, times }));
  const glue = packageFile('sql.js/dist/sql-wasm.js');
  delete require.cache[glue]; // it keeps one instance for all who ask
  const SQL = await require(glue)({
    instantiateWasm(imports, done) {
      const all = { ...imports, ...(profiler && { wasm_perf: hooks ?? profiler.imports }) };
      WebAssembly.instantiate(bytes, all).then(({ instance, module }) => {
        profiler?.attach?.(instance.exports);
        done(instance, module);
      });
      return {};
    },
  });
  return { SQL, profiler };
}

export function queries({ SQL }, rows) {
  const database = new SQL.Database();
  database.run('CREATE TABLE t(id INTEGER PRIMARY KEY, word TEXT, n INTEGER)');
  database.run(`INSERT INTO t(word, n)
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ${rows})
    SELECT 'word' || (i % 97), (i * 7919) % 1009 FROM c`);
  database.run('CREATE INDEX byword ON t(word)');
  database.run('UPDATE t SET n = n + 1 WHERE word LIKE "word1%"');
  database.exec('SELECT n % 4 AS k, count(*), sum(n), max(word) FROM t GROUP BY k ORDER BY k');
  database.close();
}
