/** Prepared statements. */
import init from '@sqlite.org/sqlite-wasm';

import { takeTurns } from './turns.mjs';

const { oo1 } = await init({ print: () => {}, printErr: () => {} });
const db = new oo1.DB();
db.exec('create table t(a, b); insert into t values (1, 2), (3, 4)');
const make = (i) => db.prepare(`select a, b, ${i} from t where a > ? and b < ? order by a + b`);

function tidy(i) {
  make(i).finalize();
}
const kept = [];
function culprit(i) {
  kept.push(make(i)); // planted
}
takeTurns(tidy, culprit);
