import { createRequire } from 'node:module';
import { Language, Parser } from 'web-tree-sitter';
const { resolve } = createRequire(import.meta.url);
await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(resolve('tree-sitter-javascript/tree-sitter-javascript.wasm')));
const source = 'function f(a, b) { return a.map((x) => x * b); }\n'.repeat(200);
console.log(parser.parse(source).rootNode.descendantCount);
