import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import oniguruma from 'vscode-oniguruma';
await oniguruma.loadWASM(readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm')).buffer);
const scanner = new oniguruma.OnigScanner(['\\bfunction\\b', '[a-z]+(?=\\()', '"(\\\\.|[^"])*"']);
const text = new oniguruma.OnigString('function call("text \\" more") { other(1); }');
for (let at = 0, match; (match = scanner.findNextMatchSync(text, at)); at = match.captureIndices[0].end) console.log(match.index, at);
