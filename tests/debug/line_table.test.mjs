// The tables of lines and of inlined functions say of each instruction what llvm-symbolizer says: in small C and C++ programs of all
// versions of DWARF, before and after a rewrite.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { compile } from './programs.mjs';

const folder = temporaryFolder();
const skip = spawnSync('llvm-symbolizer', ['--version']).status !== 0 && 'llvm-symbolizer is not installed';

function run(command, args, input) {
  const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(status, 0, `${command}: ${stderr}`);
  return stdout;
}

/** "name place" of each frame as llvm-symbolizer prints it, innermost first; the last one without its name. */
function framesOf(block) {
  const lines = block.split('\n');
  const frames = [];
  for (let i = 0; i < lines.length; i += 2) frames.push(`${i + 2 < lines.length ? lines[i] : '-'} ${lines[i + 1]}`);
  return frames.join('\t');
}

/** How many instructions there are of which both say the same, are known, and were inlined. */
function compare(module) {
  const ours = run(tool('debug-list-lines'), [module]).trim().split('\n').map((line) => line.split(/\t(.*)/));
  const addresses = ours.map(([address]) => `${address}\n`).join('');
  const options = [`--obj=${module}`, '--functions=linkage', '--inlines', '--no-demangle'];
  const theirs = run('llvm-symbolizer', options, addresses).trim().split('\n\n');
  assert.equal(theirs.length, ours.length);
  let known = 0;
  let inlined = 0;
  ours.forEach(([address, frames], i) => {
    assert.equal(frames, framesOf(theirs[i]), `${address} of ${module}`);
    known += !frames.startsWith('- ??');
    inlined += frames.includes('\t');
  });
  return { count: ours.length, known, inlined };
}

for (const version of [2, 3, 4, 5])
  for (const [target, flags] of [['wasm32', ['-O0']], ['wasm32', ['-O2']], ['wasm64', ['-O2']]])
    test(`DWARF ${version}, ${target}, ${flags}`, { skip: skip || (target === 'wasm64' && version < 4 && 'no such compiler') }, () => {
      const module = compile(folder, `m${version}${target}${flags}`, target, [`-gdwarf-${version}`, ...flags]);
      const before = compare(module);
      assert(before.known > 50 && before.known > 0.9 * before.count, `${before.known} of ${before.count}`);
      const output = module.replace('.wasm', '.prof.wasm');
      run(tool('wasm-instrument'), ['--embed', module, '-o', output]);
      const after = compare(output);
      assert(after.known >= before.known && after.inlined >= before.inlined);
      assert(flags[0] === '-O0' || before.inlined > 10, `${before.inlined} inlined`);
    });
