import { PGlite } from '@electric-sql/pglite';
const db = await PGlite.create();
await db.exec('create table t (a int, b text); insert into t select i, md5(i::text) from generate_series(1, 1000) i');
console.log(JSON.stringify((await db.query('select count(*), max(b) from t where a % 3 = 0')).rows));
await db.close();
