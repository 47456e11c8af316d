// Makes of a module one that counts its calls without any of our code: Binaryen reads it, lets
// every function first call an import of "oracle" with its index, and writes it. The import's name
// tells what to count by: by_function, or by_stack, whole stacks as the engine sees them.
//
//   node oracle.mjs MODULE OUTPUT by_function|by_stack [asyncify|go]
//
// With asyncify, functions that it rewinds are not counted again, with go those that go on after their
// goroutine waited: Go calls them with the number of a block other than the first. A function that gets
// a larger stack begins anew: an import of "oracle" called `restart` tells that its last call was none.
import { readFileSync, writeFileSync } from 'node:fs';

import { packageFile } from '../support/tools.mjs';

const { default: binaryen } = await import(packageFile('binaryen/index.js'));
const { i32, none } = binaryen;
const [, , input, output, hook, rewinds] = process.argv;

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

/**
 * The indices of Go's functions that call for a larger stack: the first is always reached, at times by way
 * of the other, which clears a register before: i64.const 0, global.set 1, i32.const 0, call.
 */
function findMoreStack() {
  const bytes = readFileSync(input);
  let offset = 8;
  const leb = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = bytes[offset++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  for (let id = bytes[offset++]; id !== 10; id = bytes[offset++]) {
    const size = leb();
    offset += size;
  }
  leb(); // its size
  const imported = functions.filter(({ handle }) => !binaryen.getFunctionInfo(handle).body).length;
  const last = imported + leb();
  for (let index = imported; index < last; index++) {
    const size = leb();
    const body = bytes.subarray(offset, offset + size);
    const at = body.indexOf(Buffer.from([0x42, 0, 0x24, 1, 0x41, 0, 0x10]));
    if (size < 80 && at >= 0) {
      offset += at + 7;
      return [leb(), index];
    }
    offset += size;
  }
  throw new Error('it is no program of Go');
}

const isGo = rewinds === 'go';
const [moreStack, moreStackWithoutContext] = isGo ? findMoreStack() : [];
if (isGo) module.addFunctionImport('oracle.restart', 'oracle', 'restart', binaryen.createType([i32]), none);
const state = rewinds === 'asyncify' && rewindState();

/** Whether the function is called, not rewound, as an expression; null: it always is. */
function isCalled({ params, results }) {
  if (state) return module.i32.ne(module.global.get(state, i32), module.i32.const(2));
  return isGo && params === i32 && results === i32 ? module.i32.eqz(module.local.get(0, i32)) : null;
}

for (const { index, handle } of functions) {
  const { body, ...type } = binaryen.getFunctionInfo(handle);
  if (!body) continue; // imported
  const call = (name, value) => module.call(`oracle.${name}`, [module.i32.const(value)], none);
  const condition = isCalled(type);
  const hooked = condition ? module.if(condition, call('hook', index)) : call('hook', index);
  const restart = index === moreStack ? [call('restart', moreStackWithoutContext)] : [];
  binaryen.Function.setBody(handle, module.block(null, [hooked, ...restart, body], type.results));
}
if (!module.validate()) throw new Error('Binaryen does not find its own output valid');
writeFileSync(output, module.emitBinary());
