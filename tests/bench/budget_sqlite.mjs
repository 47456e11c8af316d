// SQLite (sql.js) as it is, with enough to do to measure what hooks cost: for budget.mjs.
import { load, queries } from './sqljs.mjs';

const sqlite = await load(null);
for (let round = 0; round < 20; round++) queries(sqlite, 40000);
