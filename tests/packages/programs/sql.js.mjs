import initSqlJs from 'sql.js';
const SQL = await initSqlJs();
const db = new SQL.Database();
db.run('create table t (a, b)');
for (let i = 0; i < 2000; i++) db.run('insert into t values (?, ?)', [i, i % 7]);
console.log(JSON.stringify(db.exec('select b, count(*), sum(a) from t group by b order by b')));
