import { PGlite } from '@electric-sql/pglite';
const db = await PGlite.create();
const count = 1000 * Number(process.argv[2] ?? 1);
await db.exec(`create table t (a int, b text); insert into t select i, md5(i::text) from generate_series(1, ${count}) i`);
console.log(JSON.stringify((await db.query('select count(*), max(b) from t where a % 3 = 0')).rows));
await db.close();
