// A few queries by sql.js; with a second argument, profiled into that file.
import { readFileSync } from 'node:fs';

import { importPackage } from '../support/tools.mjs';
import { profileModule } from './profiled.mjs';
import './repeatable.mjs';

const [, , modulePath, profilePath] = process.argv;
const bytes = readFileSync(modulePath);
const finish = profilePath && (await profileModule(bytes, profilePath));

const { default: initSqlJs } = await importPackage('sql.js/dist/sql-wasm-debug.js');
const SQL = await initSqlJs({ wasmBinary: bytes });
const database = new SQL.Database();
database.run('CREATE TABLE t(id INTEGER PRIMARY KEY, word TEXT, n INTEGER)');
database.run(`INSERT INTO t(word, n)
  WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ${process.env.WI_ROWS ?? 5000})
  SELECT 'word' || (i % 97), (i * 7919) % 1009 FROM c`);
database.run('CREATE INDEX byword ON t(word)');
database.run('UPDATE t SET n = n + 1 WHERE word LIKE "word1%"');
const rows = database.exec('SELECT n % 4 AS k, count(*), sum(n), max(word) FROM t GROUP BY k ORDER BY k');
console.log(JSON.stringify(rows));
if (finish) finish();
