// Makes of a module one that counts its calls without any of our code: Binaryen reads it, lets
// every function first call an import of "oracle" with its index, and writes it. The import's name
// tells what to count by: by_function, or by_stack, whole stacks as the engine sees them.
//
//   node oracle.mjs MODULE OUTPUT by_function|by_stack [called]
//
// With `called`, functions that Asyncify rewinds are not counted again.
import { readFileSync, writeFileSync } from 'node:fs';

import { packageFile } from '../support/tools.mjs';

const { default: binaryen } = await import(packageFile('binaryen/index.js'));
const { i32, none } = binaryen;
const [, , input, output, hook, called] = process.argv;

const FEATURES = ['Atomics', 'MutableGlobals', 'NontrappingFPToInt', 'SIMD128', 'BulkMemory',
  'BulkMemoryOpt', 'SignExt', 'ExceptionHandling', 'TailCall', 'ReferenceTypes', 'Multivalue', 'GC',
  'CallIndirectOverlong', 'ExtendedConst'];
const features = FEATURES.reduce((mask, name) => mask | binaryen.Features[name], 0);

const module = binaryen.readBinary(readFileSync(input), features);
// Functions keep their order, those imported first.
const functions = Array.from({ length: module.getNumFunctions() }, (_, index) => ({
  index,
  handle: module.getFunctionByIndex(index),
}));
module.addFunctionImport('oracle.hook', 'oracle', hook, binaryen.createType([i32]), none);

/** The global that asyncify_start_rewind sets to 2, first thing. */
function rewindState() {
  const exported = Array.from({ length: module.getNumExports() }, (_, i) =>
    binaryen.getExportInfo(module.getExportByIndex(i)));
  const { value } = exported.find(({ name }) => name === 'asyncify_start_rewind');
  const { body } = binaryen.getFunctionInfo(module.getFunction(value));
  return binaryen.getExpressionInfo(binaryen.getExpressionInfo(body).children[0]).name;
}

const state = called && rewindState();
const isCalled = () => module.i32.ne(module.global.get(state, i32), module.i32.const(2));

for (const { index, handle } of functions) {
  const { body, results } = binaryen.getFunctionInfo(handle);
  if (!body) continue; // imported
  const hooked = module.call('oracle.hook', [module.i32.const(index)], none);
  const entered = called ? module.if(isCalled(), hooked) : hooked;
  binaryen.Function.setBody(handle, module.block(null, [entered, body], results));
}
if (!module.validate()) throw new Error('Binaryen does not find its own output valid');
writeFileSync(output, module.emitBinary());
