// SQLite (sql.js) with every function instrumented, each clock, in turn. Prints Markdown.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { readProfile } from '../hosts/wperf.mjs';
import { packageFile, temporaryFolder, tool } from '../support/tools.mjs';

const ROWS = 40000;
const ROUNDS = 7;
const original = packageFile('sql.js/dist/sql-wasm.wasm');
const temporary = temporaryFolder();
const { createProfiler } = await import(tool('hosts/wasm_perf.mjs'));
const runtime = readFileSync(tool('wasm_perf.wasm'));
const require = createRequire(import.meta.url);

function instrument(options) {
  const output = join(temporary, 'out.wasm');
  const run = spawnSync(tool('wasm-instrument'), ['-q', ...options, original, '-o', output]);
  if (run.status !== 0) throw new Error(run.stderr.toString());
  return readFileSync(output);
}

async function load(options) {
  const bytes = options ? instrument(options) : readFileSync(original);
  const profiler = options && (await createProfiler({ runtime, module: bytes }));
  const glue = packageFile('sql.js/dist/sql-wasm.js');
  delete require.cache[glue]; // it keeps one instance for all who ask
  const SQL = await require(glue)({
    instantiateWasm(imports, done) {
      const all = { ...imports, ...(profiler && { wasm_perf: profiler.imports }) };
      WebAssembly.instantiate(bytes, all).then(({ instance, module }) => done(instance, module));
      return {};
    },
  });
  return { SQL, profiler };
}

function queries({ SQL }, rows) {
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

const variants = {
  'as it is': await load(null),
  '--clock none': await load(['--clock', 'none']),
  '--clock none --skip-leaves 40': await load(['--clock', 'none', '--skip-leaves', '40']),
  '--clock instructions': await load(['--clock', 'instructions']),
  '--clock wall': await load(['--clock', 'wall']),
};
for (const variant of Object.values(variants)) queries(variant, ROWS / 10);

const times = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
for (let round = -1; round < ROUNDS; ++round)
  for (const [name, variant] of Object.entries(variants)) {
    if (name.includes('wall') && round > 1) continue; // slow, and clear enough
    const start = performance.now();
    queries(variant, ROWS);
    if (round >= 0) times[name].push(performance.now() - start);
  }

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const base = median(times['as it is']);
console.log('| SQLite, all functions | ms | ratio | calls | nodes |\n|---|--:|--:|--:|--:|');
for (const [name, values] of Object.entries(times)) {
  const profile = variants[name].profiler && readProfile(variants[name].profiler.profile());
  const calls = profile?.nodes.reduce((sum, node) => sum + Number(node.calls), 0) ?? '';
  console.log(`| ${name} | ${median(values).toFixed(0)} | ${(median(values) / base).toFixed(2)} ` +
    `| ${calls} | ${profile?.nodes.length ?? ''} |`);
}
