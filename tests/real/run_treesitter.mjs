// tree-sitter parses a large file with a grammar that is a module of its own, linked at run time.
// The first argument tells which of the two the second one is, parser or grammar; with a third, it
// is profiled into that file.
import { readFileSync } from 'node:fs';

import { packageFile } from '../support/tools.mjs';
import { profileModule } from './profiled.mjs';
import './repeatable.mjs';

const [, , role, modulePath, profilePath] = process.argv;
const files = {
  parser: packageFile('web-tree-sitter/web-tree-sitter.wasm'),
  grammar: packageFile('tree-sitter-javascript/tree-sitter-javascript.wasm'),
  [role]: modulePath,
};
const finish = profilePath && (await profileModule(readFileSync(modulePath), profilePath));

const { Parser, Language, Query } = await import(packageFile('web-tree-sitter/web-tree-sitter.js'));
await Parser.init({ wasmBinary: readFileSync(files.parser) });
const language = await Language.load(new Uint8Array(readFileSync(files.grammar)));
const parser = new Parser();
parser.setLanguage(language);
const source = readFileSync(packageFile('sql.js/dist/sql-wasm-debug.js'), 'utf8');
const tree = parser.parse(source);
console.log(tree.rootNode.toString());
const query = new Query(language, '(function_declaration name: (identifier) @name)');
for (const { node } of query.captures(tree.rootNode)) console.log(node.text, node.startPosition);
tree.edit({
  startIndex: 0,
  oldEndIndex: 0,
  newEndIndex: 4,
  startPosition: { row: 0, column: 0 },
  oldEndPosition: { row: 0, column: 0 },
  newEndPosition: { row: 0, column: 4 },
});
const edited = parser.parse(`f();${source} )`, tree);
console.log(edited.rootNode.hasError, edited.rootNode.childCount);
if (finish) finish();
