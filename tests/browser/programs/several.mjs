// Several modules in one program: esbuild transforms scripts in a thread of its own, SQLite counts their words.
import initSqlJs from 'sql.js';
import { transform } from 'esbuild-wasm';

const { Database } = await initSqlJs();
const database = new Database();
database.run('CREATE TABLE words (word TEXT, script INTEGER)');
for (let script = 0; script < 12; script++) {
  const source = Array.from({ length: 400 }, (_, i) => `export const name_${i} = (value) => value * ${i + script} ?? name_${i}`).join(';\n');
  const { code } = await transform(source, { minify: true, target: 'es2018' });
  for (const word of code.split(/\W+/)) database.run('INSERT INTO words VALUES (?, ?)', [word, script]);
}
const [{ values }] = database.exec('SELECT word, count(*) FROM words GROUP BY word ORDER BY 2 DESC LIMIT 5');
console.log(values);
