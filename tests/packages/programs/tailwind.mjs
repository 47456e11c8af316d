import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compile } from 'tailwindcss';
const require = createRequire(import.meta.url);
const { Scanner } = require('@tailwindcss/oxide-wasm32-wasi');
const content = readFileSync(require.resolve('sql.js'), 'utf8') + '<p class="flex p-4 hover:bg-red-500 md:grid-cols-3">';
const sheet = readFileSync(require.resolve('tailwindcss/index.css'), 'utf8');
for (let i = Number(process.argv[2] ?? 1); i > 0; i--) {
  const candidates = new Scanner({ sources: [] }).getCandidatesWithPositions({ content, extension: 'html' });
  const css = (await compile(sheet)).build(candidates.map(({ candidate }) => candidate));
  if (i === 1) console.log(candidates.length, css);
}
