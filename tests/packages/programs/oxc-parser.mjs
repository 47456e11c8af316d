import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const { parseSync } = require('@oxc-parser/binding-wasm32-wasi');
const source = readFileSync(require.resolve('sql.js'), 'utf8');
for (let i = Number(process.argv[2] ?? 1); i > 0; i--) {
  const { node } = JSON.parse(parseSync('sql-wasm.js', source).program);
  if (i === 1) console.log(JSON.stringify(node).length);
}
