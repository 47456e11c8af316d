// wasm-instrument --embed on components: what changes, what does not, and what is refused.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';

import { importPackage, temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { coreModules, frame, HEADER, nested, section } from './component.mjs';

const folder = temporaryFolder();
const two = Buffer.from(await parse(readFileSync(join(import.meta.dirname, 'two.wat'), 'utf8')));

function instrument(bytes, options = [], name = 'app.wasm') {
  const [input, output] = [join(folder, name), join(folder, 'out.wasm')];
  writeFileSync(input, bytes);
  execFileSync(tool('wasm-instrument'), ['--embed', '--no-file', ...options, input, '-o', output]);
  return readFileSync(output);
}

/** Exit code and stderr of what has to fail, with no output left. */
function refusal(bytes, options = ['--embed']) {
  const [input, output] = [join(folder, 'bad.wasm'), join(folder, 'none.wasm')];
  writeFileSync(input, bytes);
  const { status, stderr } = spawnSync(tool('wasm-instrument'), [...options, input, '-o', output], { encoding: 'utf8' });
  assert.ok(!existsSync(output));
  return [status, stderr.replaceAll(folder, '').trim()];
}

test('each core module becomes what it would by itself, the rest stays as it is', () => {
  const output = instrument(two);
  assert.deepEqual(frame(output), frame(two));
  const names = ['numbers', 'deep', 'main'];
  assert.deepEqual(coreModules(output), coreModules(two).map((module, i) => instrument(module, [], `app.wasm:${names[i]}`)));
});

test('a component without a chosen function comes back byte for byte, overlong sizes included', () => {
  const [module] = coreModules(two);
  const bytes = Buffer.concat([HEADER, section(0, Buffer.from('\x04nameX'), 5), section(1, module, 5),
    section(4, Buffer.concat([HEADER, section(1, module, 4)]), 5), section(0, Buffer.from('\x01x'), 3)]);
  assert.deepEqual(instrument(bytes, ['--module', 'nothing', '--quiet']), bytes);
  const output = instrument(bytes, ['--module', 'module0']);
  assert.deepEqual(frame(output), frame(bytes));
  assert.ok(output.includes(section(0, Buffer.from('\x04nameX'), 5)) && output.includes(section(0, Buffer.from('\x01x'), 3)));
});

test('--module chooses core modules by their names', () => {
  const [numbers, deep, main] = coreModules(two);
  const output = coreModules(instrument(two, ['--module', 'd*p', '--module', 'main']));
  assert.deepEqual(output[0], numbers);
  assert.ok(output[1].length > deep.length && output[2].length > main.length);
});

test('--list tells the modules and what is chosen of each', () => {
  const input = join(folder, 'list.wasm');
  writeFileSync(input, two);
  const list = execFileSync(tool('wasm-instrument'), ['--list', '--module', 'main', '--exclude', 'note', input], { encoding: 'utf8' });
  const rows = list.split('\n').filter((line) => line !== '').map((line) => line.trim().split(/\s+/).join(' '));
  assert.deepEqual(rows, [
    'core module numbers', 'index instrs ? name', '0 3 - square', '1 11 - sum',
    'core module deep', 'index instrs ? name', '0 1 - leaf', '1 3 - deep',
    'core module main', 'index instrs ? name', '1 4 - note', '2 3 + run']);
});

test('transpiled by jco, both give the same results', async () => {
  const { transpileBytes } = await importPackage('@bytecodealliance/jco-transpile');
  const results = [];
  for (const [name, bytes] of [['plain', two], ['prof', instrument(two)]]) {
    const { files } = await transpileBytes(new Uint8Array(bytes), { name, multiMemory: true, instantiation: { tag: 'async' } });
    for (const [path, contents] of Object.entries(files)) writeFileSync(join(folder, basename(path)), contents);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const { instantiate } = await import(join(folder, `${name}.js`));
    const { run, deep, inner } = await instantiate(async (path) => new WebAssembly.Module(readFileSync(join(folder, path))), {});
    results.push([run(10), deep(3), inner(5)]);
  }
  assert.deepEqual(results[0], [385, 14, 12]);
  assert.deepEqual(results[1], results[0]);
});

test('components are refused without --embed, and where they are broken, with the place', () => {
  const bad = '/bad.wasm: ';
  assert.deepEqual(refusal(two, []), [1, `wasm-instrument: ${bad}offset 0x4: this is a component, to whose modules nobody can link hooks: --embed puts the profiler inside of them`]);
  assert.deepEqual(refusal(Buffer.concat([HEADER, Buffer.from([1, 9])])), [1, `wasm-instrument: ${bad}offset 0x9: 9 bytes do not fit into the 0 that are left`]);
  assert.deepEqual(refusal(Buffer.concat([HEADER, Buffer.from([13, 0])])), [1, `wasm-instrument: ${bad}offset 0x8: malformed section id 13 of a component`]);
  assert.deepEqual(refusal(Buffer.from([...HEADER.subarray(0, 4), 0x0c, 0, 1, 0])), [1, `wasm-instrument: ${bad}offset 0x4: a component of an unknown version`]);
  assert.deepEqual(refusal(Buffer.concat([HEADER, section(4, Buffer.from('0061736d01000000', 'hex'))])), [1, `wasm-instrument: ${bad}offset 0xa: a section of a component does not begin as one`]);
  assert.deepEqual(refusal(Buffer.concat([HEADER, section(1, Buffer.from('0061736d0100000003', 'hex'))])), [1, `wasm-instrument: ${bad}offset 0x13: core module module0: truncated LEB128`]);
  const [status, message] = refusal(nested(101));
  assert.equal(status, 1);
  assert.match(message, /offset 0x[0-9a-f]+: components nested more than 100 deep$/);
  instrument(nested(100), ['--quiet']);
});
