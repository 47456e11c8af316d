/** The rewriter as a package: the same as the commands, in bytes, messages and exit codes. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assemble, at, build, folder, read, run, tool } from '../js/support.mjs';

const packageFile = (name) => join(build, 'npm/js', name);
const importPackage = (name) => import(pathToFileURL(packageFile(name)));
const { InstrumentError, instrument, instrumentAsync } = await importPackage('package/index.mjs');
const { compileRegex } = await importPackage('package/wasi.mjs');

const module = read(
  assemble(
    'app',
    `(module
      (import "env" "log" (func $log))
      (func $parse_a (export "run") call $log call $parse_b)
      (func $parse_b call $log)
      (func $_ZN4show3allEv (export "show") (result i32) i32.const 1))`,
  ),
);
const mangled = '_ZN4show3allEv';

/** The native command on the same module: {status, stderr, bytes}. */
function native(...args) {
  const { status, stderr } = tool('wasm-instrument', [...args, 'app.wasm', '-o', 'native.wasm']);
  return { status, stderr, bytes: status === 0 ? read('native.wasm') : null };
}

const packaged = (args, options) =>
  run(process.execPath, [packageFile('command/wasm_instrument.mjs'), ...args], options);

function mustBeEqual(options, args) {
  const { bytes, stderr } = native(...args);
  const result = instrument(module, { name: 'app.wasm', ...options });
  assert.deepEqual(Buffer.from(result.bytes), bytes, JSON.stringify(options));
  const lines = result.warnings.map((text) => `wasm-instrument: app.wasm: warning: ${text}\n`);
  assert.equal(lines.join(''), stderr);
  return result;
}

test('the same bytes and warnings as the command, whatever the options', () => {
  mustBeEqual({}, []);
  mustBeEqual({ only: 'parse_*' }, ['--only', 'parse_*']);
  mustBeEqual({ only: ['parse_*', '!parse_b'] }, ['--only', 'parse_*', '--only', '!parse_b']);
  mustBeEqual({ exclude: '@2', hostCalls: true }, ['--exclude', '@2', '--host-calls']);
  mustBeEqual({ hostCalls: false, clock: undefined, only: '/^pa.*_[ab]$/' }, ['--only', '/^pa.*_[ab]$/']);
  mustBeEqual({ clock: 'instructions', minInstructions: 2 }, ['--clock', 'instructions', '--min-instructions', '2']);
  mustBeEqual({ importModule: 'hooks', flush: true }, ['--import-module', 'hooks', '--flush']);
  mustBeEqual({ only: ['/(?i)PARSE_/', mangled] }, ['--only', '/(?i)PARSE_/', '--only', mangled]);

  mustBeEqual({ embed: true }, ['--embed']);
  mustBeEqual({ embed: true, nodeLimit: 1000 }, ['--embed', '--node-limit', '1000']);

  writeFileSync(at('list'), '# a comment\nparse_b\n\nnobody\n');
  const { warnings } = mustBeEqual({ whitelist: '# a comment\nparse_b\n\nnobody\n' }, ['-w', 'list']);
  assert.deepEqual(warnings, ["pattern 'nobody' matches no function"]);
  mustBeEqual({ whitelist: ['parse_b', 'nobody'] }, ['-w', 'list']);
});

test('bytes of any kind, and promised', async () => {
  const { bytes } = native();
  const { buffer } = new Uint8Array(module);
  for (const source of [buffer, new DataView(buffer), module]) {
    assert.deepEqual(Buffer.from(instrument(source).bytes), bytes);
    assert.deepEqual(Buffer.from((await instrumentAsync(source)).bytes), bytes);
  }
});

test('errors are thrown, each of its kind', async () => {
  const cut = module.subarray(0, module.length - 100);
  writeFileSync(at('cut.wasm'), cut);
  const { stderr } = tool('wasm-instrument', ['cut.wasm', '-o', 'native.wasm']);
  const message = stderr.slice('wasm-instrument: cut.wasm: '.length).trimEnd();
  assert.match(message, /^offset 0x/);
  assert.throws(() => instrument(cut), { constructor: InstrumentError, message });
  await assert.rejects(instrumentAsync(cut), { message });
  assert.throws(() => instrument(new Uint8Array(0)), /not a WebAssembly module/);
  assert.throws(() => instrument(instrument(module).bytes), /already instrumented/);

  const refused = (options, pattern) =>
    assert.throws(() => instrument(module, options), (error) => error instanceof TypeError && pattern.test(error.message));
  refused({ colour: true }, /^unknown option 'colour'$/);
  refused({ output: 'x' }, /^unknown option 'output'$/);
  refused({ clock: 'sand' }, /^--clock wants .*'sand'$/);
  refused({ minInstructions: -1 }, /^--min-instructions wants a number, not '-1'$/);
  refused({ only: '/(/' }, /^pattern '\/\(\/': Invalid regular expression/);
  refused({ only: '@x' }, /^pattern '@x': @ wants a function index$/);
});

test('expressions of Perl in JavaScript', () => {
  const finds = (pattern, text) => compileRegex(pattern).test(text);
  assert(finds('\\Aab\\z', 'ab') && !finds('\\Aab\\z', 'ab\n') && finds('ab\\Z', 'ab\n'));
  assert(finds('(?i)AB', 'xab') && !finds('AB', 'xab') && finds('(?ims)^b.c$', 'A\nB\nC'));
  assert(finds('operator\\-\\_', 'operator-_'), 'escapes that need none');
  assert(finds('^.$', '\u{1f600}'), 'a character is a code point');
  assert(finds('\\\\A', '\\A'));
  for (const pattern of ['a++', '(?>a)', '(?R)', '(']) assert.throws(() => compileRegex(pattern), SyntaxError);
});

test('the command takes files as the native one does', () => {
  const same = (args, options) => {
    const one = packaged(args, options);
    const other = tool('wasm-instrument', args, options);
    assert.equal(one.status, other.status, one.stderr);
    assert.equal(one.stdout, other.stdout);
    assert.equal(one.stderr, other.stderr);
    return one;
  };
  assert.equal(packaged(['app.wasm', '-o', 'packaged.wasm']).status, 0);
  assert.deepEqual(read('packaged.wasm'), native().bytes);
  assert.equal(packaged([at('app.wasm'), '-o', `../${folder.split('/').pop()}/second.wasm`]).status, 0);
  assert.deepEqual(read('second.wasm'), read('packaged.wasm'));

  same(['app.wasm', '--list']);
  same(['--version']);
  same(['--help']);
  assert.equal(same(['absent.wasm', '-o', 'x.wasm']).status, 1);
  assert.equal(same(['.', '-o', 'x.wasm']).status, 1);
  assert.equal(same(['app.wasm', '-o', 'no/folder/x.wasm']).status, 1);
  assert.equal(same(['cut.wasm', '-o', 'kept.wasm']).status, 1);
  assert.equal(same(['app.wasm']).status, 2);
  assert(!existsSync(at('kept.wasm')));
  assert.deepEqual(readdirSync(folder).filter((name) => name.includes('unfinished')), []);
});

test('the command reads and writes streams, and replaces its input', () => {
  const piped = spawnSync(process.execPath, [packageFile('command/wasm_instrument.mjs'), '-', '-o', '-'], { input: module });
  assert.equal(piped.status, 0, String(piped.stderr));
  assert.deepEqual(piped.stdout, native().bytes);
  writeFileSync(at('own.wasm'), module);
  assert.equal(packaged(['own.wasm', '-o', 'own.wasm']).status, 0);
  assert.deepEqual(readFileSync(at('own.wasm')), native().bytes);
});
