import initSqlJs from 'sql.js';
const SQL = await initSqlJs();
const db = new SQL.Database();
db.run('create table t (a, b)');
for (let i = 2000 * Number(process.argv[2] ?? 1); i > 0; i--) db.run('insert into t values (?, ?)', [i, i % 7]);
console.log(JSON.stringify(db.exec('select b, count(*), sum(a) from t group by b order by b')));
