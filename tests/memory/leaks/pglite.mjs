/** Prepared statements. What the database itself holds is far more. */
import { PGlite, protocol } from '@electric-sql/pglite';

import { takeTurns } from './turns.mjs';

const db = await PGlite.create();
const query = (text) => db.execProtocolRawSync(protocol.serialize.query(text));
query('create table t(a int, b text)');

function tidy(i) {
  query(`prepare p${i} as select a, b from t where a > ${i}`);
  query(`deallocate p${i}`);
}
function culprit(i) {
  query(`prepare q${i} as select a, b from t where a > ${i}`); // planted
}
takeTurns(tidy, culprit);
