// SQLite with random keys, in an npm package.
const initSqlJs = require('sql.js');

initSqlJs().then((SQL) => {
  const database = new SQL.Database();
  database.run('create table words (key integer, word text, at real)');
  for (let i = 0; i < 500; i++) {
    database.run('insert into words values (random(), ?, julianday())', [`word${Math.floor(Math.random() * 99)}`]);
  }
  console.log(JSON.stringify(database.exec('select word, count(*), min(key), max(at) from words group by word order by 2, 1')));
});
