import { createRequire } from 'node:module';
import * as duckdb from '@duckdb/duckdb-wasm/blocking';
const { resolve } = createRequire(import.meta.url);
const file = (name) => resolve(`@duckdb/duckdb-wasm/dist/${name}`);
const bundles = { mvp: { mainModule: file('duckdb-mvp.wasm'), mainWorker: '' }, eh: { mainModule: file('duckdb-eh.wasm'), mainWorker: '' } };
const database = await duckdb.createDuckDB(bundles, new duckdb.VoidLogger(), duckdb.NODE_RUNTIME);
await database.instantiate(() => {});
const rows = database.connect().query('select i % 5 as k, sum(i)::varchar as s from range(100000) t(i) group by k order by k');
console.log(rows.toString());
