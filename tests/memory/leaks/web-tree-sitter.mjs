/** Trees. */
import { createRequire } from 'node:module';
import { Parser, Language } from 'web-tree-sitter';

import { takeTurns } from './turns.mjs';

await Parser.init();
const { resolve } = createRequire(import.meta.url);
const language = await Language.load(resolve('tree-sitter-javascript/tree-sitter-javascript.wasm'));
const parser = new Parser();
parser.setLanguage(language);
const source = 'function f(a, b) { return a + b * 2; }\n'.repeat(50);
const make = () => parser.parse(source);

function tidy() {
  make().delete();
}
const kept = [];
function culprit() {
  kept.push(make()); // planted
}
takeTurns(tidy, culprit);
