import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import binaryen from 'binaryen';
const bytes = readFileSync(createRequire(import.meta.url).resolve('web-tree-sitter/web-tree-sitter.wasm'));
for (let i = Number(process.argv[2] ?? 1); i > 0; i--) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(binaryen.Features.All);
  module.optimize();
  if (i === 1) console.log(module.emitText());
}
