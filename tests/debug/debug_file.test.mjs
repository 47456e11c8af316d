// Debug information that is not in the module: in a debug file, which is brought up to date with it, or in
// .dwo files, from which the module is cut off with a warning.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { installed, readers, rewrite, sections } from './oracle.mjs';
import { compile } from './programs.mjs';

const folder = temporaryFolder();
const path = (name) => join(folder, name);
const whole = compile(folder, 'whole', 'wasm32', ['-gdwarf-5', '-O1']);

const leb = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >> 7)]);
const text = (value) => Buffer.from([...leb(value.length), ...Buffer.from(value)]);

/** The module with the sections that `keeps` says, and with a link to a debug file, if one is named. */
function withSections(bytes, keeps, link) {
  const parts = [bytes.subarray(0, 8)];
  for (const { id, name, start, end } of sections(bytes)) {
    if (!keeps(id, name)) continue;
    const contents = Buffer.concat([id === 0 ? text(name) : Buffer.alloc(0), bytes.subarray(start, end)]);
    parts.push(Buffer.from([id, ...leb(contents.length)]), contents);
  }
  if (link) {
    const contents = Buffer.concat([text('external_debug_info'), text(link)]);
    parts.push(Buffer.from([0, ...leb(contents.length)]), contents);
  }
  return Buffer.concat(parts);
}

const isDebug = (name) => name.startsWith('.debug_');
const contents = (bytes, keeps) =>
  sections(bytes).filter(({ id, name }) => keeps(id, name)).map(({ name, start, end }) => [name, bytes.toString('latin1', start, end)]);

const instrument = (...args) => {
  const { status, stderr } = spawnSync(tool('wasm-instrument'), args, { timeout: 600_000 });
  return { status, stderr: stderr.toString() };
};

for (const [kind, keeps] of Object.entries({ 'with the code': () => true, 'without the code': (id) => id === 0 }))
  for (const options of [[], ['--embed', '--clock=instructions']])
    test(`a debug file ${kind}, ${options.join(' ') || 'linked'}`, () => {
      const bytes = readFileSync(whole);
      writeFileSync(path('app.wasm'), withSections(bytes, (id, name) => !isDebug(name), 'app.debug.wasm'));
      writeFileSync(path('app.debug.wasm'), withSections(bytes, keeps));
      assert.deepEqual(instrument(...options, path('app.wasm'), '-o', path('out.wasm')), { status: 0, stderr: '' });
      assert.equal(instrument(...options, whole, '-o', path('expected.wasm')).status, 0);
      const [out, side, expected] = ['out.wasm', 'out.wasm.debug.wasm', 'expected.wasm'].map((name) => readFileSync(path(name)));
      const debug = (all) => contents(all, (_, name) => isDebug(name));
      const code = (all) => contents(all, (id) => id === 10);
      assert(debug(side).length > 5);
      assert.deepEqual(debug(side), debug(expected));
      assert.deepEqual(debug(out), []);
      assert.deepEqual([code(out), code(side)], [code(expected), code(expected)]);
      const [[, link]] = contents(out, (_, name) => name === 'external_debug_info');
      assert.equal(link.slice(1), 'out.wasm.debug.wasm');
      assert(WebAssembly.validate(out));
    });

test('a debug file elsewhere, of another module, or missing', () => {
  const bytes = readFileSync(whole);
  writeFileSync(path('bare.wasm'), withSections(bytes, (id, name) => !isDebug(name) && name !== 'name'));
  const options = ['--debug-file', whole, path('bare.wasm'), '-o', path('bare.out.wasm')];
  assert.deepEqual(instrument(...options), { status: 0, stderr: '' });
  assert.deepEqual(contents(readFileSync(path('bare.out.wasm')), (_, name) => name === 'name'), []);
  rmSync(path('bare.out.wasm'));
  const other = compile(folder, 'other', 'wasm32', ['-gdwarf-5', '-O2']);
  const refused = instrument('--debug-file', other, ...options.slice(2));
  assert.match(refused.stderr, /belongs to another module/);
  assert.equal(refused.status, 1);
  assert(!readdirSync(folder).includes('bare.out.wasm'));
  assert.equal(instrument('--debug-file', path('none.wasm'), ...options.slice(2)).status, 1);
  writeFileSync(path('linked.wasm'), withSections(bytes, (id, name) => !isDebug(name), 'gone.wasm'));
  const missing = instrument(path('linked.wasm'), '-o', path('bare.out.wasm'));
  assert.deepEqual([missing.status, /external_debug_info/.test(missing.stderr)], [0, true]);
});

test('a module leads to no debug file but one beside it', () => {
  const bytes = readFileSync(whole);
  execFileSync('mkfifo', [path('pipe.wasm')]);
  symlinkSync('/dev/zero', path('endless.wasm'));
  mkdirSync(path('below'));
  copyFileSync(whole, path('below/whole.wasm'));
  for (const name of ['below/whole.wasm', '../none.wasm', whole, 'pipe.wasm', 'endless.wasm']) {
    writeFileSync(path('leads.wasm'), withSections(bytes, (_, section) => !isDebug(section), name));
    const { status, stderr } = instrument(path('leads.wasm'), '-o', path('leads.out.wasm'));
    assert.deepEqual([status, existsSync(path('leads.out.wasm.debug.wasm'))], [0, false], name);
    assert.match(stderr, /external_debug_info/);
  }
});

for (const version of [4, 5])
  test(`split DWARF ${version}: lines stay, the other half is cut off`, async () => {
    const module = compile(folder, `split${version}`, 'wasm32', [`-gdwarf-${version}`, '-gsplit-dwarf', '-O1']);
    const dump = (file) => spawnSync('llvm-dwarfdump', ['--debug-info', file]).stdout.toString();
    const ids = (file) => [...dump(file).matchAll(/(?:DW_AT_GNU_dwo_id\t\(|DWO_id = )(0x\w+)/g)].map(([, id]) => id);
    assert.equal(ids(module).length, 3);
    const output = path(`split${version}.out.wasm`);
    const { pairs, count, warnings } = rewrite(module, output, []);
    assert.match(warnings.join(), /3 units detached from the \.dwo or \.dwp file/);
    assert.equal(ids(output).length, 3);
    for (const id of ids(output)) assert(!ids(module).includes(id)); // by which a reader tells whether they fit
    for (const name of readdirSync(folder)) if (name.endsWith('.dwo')) rmSync(path(name));
    for (const reader of installed()) {
      const { different, compared } = await readers[reader]([module, output], pairs, 1);
      assert.deepEqual([compared, different], [2 * count, 0], reader);
    }
  });
