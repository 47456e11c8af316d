/** The package as npm packs and installs it: its exports, commands and types. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { all, helpText, words } from '../docgen/help.mjs';
import { assemble, at, build, read, run, tool } from '../js/support.mjs';

const project = at('project');
const inProject = (command, args) => run(command, args, { cwd: project });

function succeed(command, args) {
  const { status, stdout, stderr } = inProject(command, args);
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

const perf = join(project, 'node_modules/wasm-perf/js/command/wasm_perf.mjs');
const node = (code) => succeed(process.execPath, ['--input-type=module', '-e', code]);

mkdirSync(project);
writeFileSync(join(project, 'package.json'), '{"private": true}');
succeed('npm', ['pack', '--silent', join(build, 'npm')]);
const [tarball] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
succeed('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`]);
assemble('app', '(module (func $f (export "f")))');

test('it is small', () => {
  assert(statSync(join(project, tarball)).size < 1_800_000, `${statSync(join(project, tarball)).size} bytes`);
});

test('what is exported is there', () => {
  const { exports, bin } = JSON.parse(readFileSync(join(project, 'node_modules/wasm-perf/package.json')));
  const files = [...Object.values(exports), ...Object.values(bin)].flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  assert(files.length > 6);
  files.push('LICENSE', 'README.md');
  for (const file of files) assert(existsSync(join(project, 'node_modules/wasm-perf', file)), file);
});

test('what its modules import is there', () => {
  const modules = readdirSync(join(project, 'node_modules/wasm-perf/js'), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.mjs'));
  assert(modules.length > 20);
  for (const { name, parentPath } of modules)
    for (const [, path] of readFileSync(join(parentPath, name), 'utf8').matchAll(/^(?:import|export)\b[^;]*'(\.[^']+)';$/gm))
      assert(existsSync(join(parentPath, path)), `${name} imports ${path}`);
});

test('the functions', () => {
  const output = node(`
    import { readFileSync, writeFileSync } from 'node:fs';
    import { instrument, ready, reportAsync } from 'wasm-perf';
    await ready();
    const { bytes, warnings } = instrument(readFileSync('../app.wasm'), { clock: 'none' });
    writeFileSync('out.wasm', bytes);
    console.log(warnings.length, await reportAsync(new Uint8Array(3)).catch((error) => error.name));
  `);
  assert.equal(output, '0 TypeError\n');
  assert.equal(tool('wasm-instrument', ['--clock', 'none', 'app.wasm', '-o', 'native.wasm']).status, 0);
  assert.deepEqual(readFileSync(join(project, 'out.wasm')), read('native.wasm'));
});

test('what the README shows', () => {
  const page = readFileSync(join(build, 'npm/README.md'), 'utf8');
  const code = page.match(/^```js\n(import \{ instrument \}[^]*?)^```/m)[1];
  const output = node(`
    import { readFileSync } from 'node:fs';
    const module = readFileSync('../app.wasm');
    ${code}
    console.log(bytes.length > module.length, warnings.length);`);
  assert.equal(output, 'true 1\n');
  const [, script] = page.match(/<script src="(.*)">/);
  assert(existsSync(join(project, script)), script);
});

test('the commands', () => {
  succeed('npx', ['--no-install', 'wasm-instrument', '--clock', 'none', '../app.wasm', '-o', 'own.wasm']);
  assert.deepEqual(readFileSync(join(project, 'own.wasm')), read('native.wasm'));
  assert.match(succeed('npx', ['--no-install', 'wasm-perf', '--help']), /wasm-perf COMMAND/);
});

test('record and register, with the rewriter of the package', () => {
  const app = `
    import { readFileSync } from 'node:fs';
    const { instance } = await WebAssembly.instantiate(readFileSync('../app.wasm'));
    for (let i = 0; i < 7; i++) instance.exports.f();
    console.log('done');
    process.exitCode = 3;`;
  writeFileSync(join(project, 'app.mjs'), app);
  writeFileSync(join(project, 'app.cjs'), '');
  const env = { ...process.env, PATH: '/usr/bin:/bin' };
  const start = (args, variables) => run(process.execPath, args, { cwd: project, env: { ...env, ...variables } });

  const command = ['-o', 'app.json', '--clock', 'none', '--', process.execPath, 'app.mjs'];
  const recorded = start([perf, 'record', ...command]);
  assert.deepEqual([recorded.status, recorded.stdout], [3, 'done\n'], recorded.stderr);
  const registered = start(['--import', 'wasm-perf/register', 'app.mjs'], { WASM_PERF_CLOCK: 'none' });
  assert.deepEqual([registered.status, registered.stdout], [3, 'done\n'], registered.stderr);
  const report = tool('wasm-perf', ['report', '--format', 'json', join(project, 'profile.wperf')]);
  for (const text of [report.stdout, readFileSync(join(project, 'app.json'), 'utf8')]) {
    const found = JSON.parse(text).functions.find(({ name }) => name === 'f');
    assert.equal(Number(found?.calls), 7, text);
  }
  const desktop = at('desktop');
  mkdirSync(desktop);
  writeFileSync(join(desktop, 'xdg-open'), '#!/bin/sh\nprintf %s "$1" >opened.part && mv opened.part opened\n', { mode: 0o755 });
  const options = { PATH: `${desktop}:${env.PATH}` };
  const shown = start([perf, 'record', '--open', '--clock', 'none', '--', process.execPath, '-r', './app.cjs', 'app.mjs'], options);
  assert.deepEqual([shown.status, shown.stdout], [3, 'done\n'], shown.stderr);
  const opened = join(project, 'opened');
  while (!existsSync(opened)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  assert.equal(readFileSync(opened, 'utf8'), join(project, 'app.html'));
  assert.match(readFileSync(join(project, 'app.html'), 'utf8'), /^<!DOCTYPE html>/i);
  assert.equal(start([perf, 'record', '--open', '-o', 'a.folded', '--', 'node', 'app.mjs']).status, 2);
  const failed = (name) => start([perf, 'record', '--', name]).stderr;
  assert.equal(failed('./app.mjs'), 'wasm-perf: ./app.mjs: it is not executable; to run a script: wasm-perf record -- node ./app.mjs\n');
  assert.equal(failed('./none'), 'wasm-perf: ./none: command not found\n');
  assert.equal(start([perf, 'record', 'app.wasm']).status, 2);
  assert.match(start([perf, 'record', '--help']).stdout, /^Usage: wasm-perf record/);
});

const record = (...args) => run(process.execPath, [perf, 'record', ...args], { cwd: project });

/** What the package's help adds to the native one. */
const NEEDS_NATIVE = / \(needs the native wasm-perf\)/g;
const HEADING = ' Examples for the native wasm-perf:';

/** The whole help of a command, in the package. */
function wholeHelp(...words) {
  const usual = run(process.execPath, [...words, '--help'], { cwd: project });
  return usual.stdout.includes('--help-all') ? run(process.execPath, [...words, '--help-all'], { cwd: project }) : usual;
}

test('the help is the native one, and says what needs the native tool', () => {
  for (const command of all) {
    const [program, ...rest] = command.split(' ');
    const script = join(project, 'node_modules/wasm-perf/js/command', `${program.replace('-', '_')}.mjs`);
    const { status, stdout } = wholeHelp(script, ...rest);
    assert.equal(status, 0, command);
    assert.equal(words(stdout).replace(NEEDS_NATIVE, '').replace(HEADING, ''), words(helpText(command)), command);
  }
  const marked = (...args) => words(wholeHelp(perf, ...args).stdout).match(NEEDS_NATIVE);
  assert.deepEqual([marked()?.length, marked('record')?.length, marked('top')], [2, 11, null]);
});

test('what needs the native tool says so', () => {
  for (const command of ['open', 'bench']) {
    const { status, stderr } = run(process.execPath, [perf, command, '../app.wasm'], { cwd: project });
    assert.deepEqual([status, stderr.split('\n')[0]], [2, `wasm-perf ${command}: this command needs the native wasm-perf`]);
  }
  const ofCommands = ['--no-hooks', '--listen=6060', '--every=1s', '--budget=3%', '--compare', '--times=app.wperf'];
  const ofModules = ['--engine=wasmtime', '--engine-option=-a', '--dir=.', '--env=A=b', '--invoke=f'];
  for (const option of [...ofCommands, ...ofModules]) {
    const program = ofCommands.includes(option) ? ['--', 'node', 'app.mjs'] : ['app.wasm'];
    const { status, stderr } = record(option, ...program);
    const [name] = option.split('=');
    assert.deepEqual([status, stderr.split('\n')[0]], [2, `wasm-perf record: ${name} needs the native wasm-perf`]);
  }
  assert.match(record('app.wasm').stderr, /^wasm-perf record: a WASI program needs the native wasm-perf;/);
});

test('record refuses and records what the native one does', () => {
  const missing = record().stderr.split('\n').slice(1, -2);
  assert(missing.length > 1 && missing.every((example) => example.includes(' -- node ')), missing.join('\n'));
  for (const option of ['--nonsense', '--env=A=b', '--engine=wasmtime']) {
    const wrong = record(option, '--', 'node', 'app.mjs');
    const native = tool('wasm-perf', ['record', option, '--', 'node', 'app.mjs']);
    assert.deepEqual([wrong.status, wrong.stderr], [2, native.stderr]);
  }
  const only = ['--clock=none', '--only=f', '--only=nothing_1', '-o', 'only.json'];
  const recorded = record(...only, '--', process.execPath, 'app.mjs');
  assert.equal(recorded.status, 3);
  assert.match(recorded.stderr, /'nothing_1' matches no function/);
  assert.equal(Number(JSON.parse(readFileSync(join(project, 'only.json'), 'utf8')).calls), 7);
  assemble('stripped', '(module (func (export "run") call 1) (func))');
  assemble('named', '(module (func (export "run") call 1) (func $inner))');
  writeFileSync(join(project, 'stripped.mjs'), `
    import { readFileSync } from 'node:fs';
    (await WebAssembly.instantiate(readFileSync('../stripped.wasm'))).instance.exports.run();`);
  const symbols = ['--clock=none', '--symbols=../named.wasm', '-o', 'named.folded'];
  assert.equal(record(...symbols, '--', process.execPath, 'stripped.mjs').status, 0);
  assert.match(readFileSync(join(project, 'named.folded'), 'utf8'), /;~?inner /);
  const slept = record('--duration=300ms', '-o', 'slept.json', '--', process.execPath, '-e', 'setInterval(() => {}, 1e6)');
  assert.equal(slept.status, 128 + constants.signals.SIGTERM, slept.stderr);
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  test(`${signal} ends a program that is busy, with its report`, async () => {
    writeFileSync(join(project, 'busy.mjs'), `
      import { readFileSync } from 'node:fs';
      const { instance } = await WebAssembly.instantiate(readFileSync('../app.wasm'));
      process.stdout.write('busy');
      for (;;) instance.exports.f();`);
    const args = [perf, 'record', '-o', 'busy.json', '--clock', 'none', '--', process.execPath, 'busy.mjs'];
    const options = { cwd: project, env: { ...process.env, PATH: '/usr/bin:/bin' }, stdio: ['ignore', 'pipe', 'inherit'] };
    const child = spawn(process.execPath, args, options);
    const timer = setTimeout(() => child.kill('SIGKILL'), 600_000);
    await once(child.stdout, 'data');
    child.kill(signal);
    const [status] = await once(child, 'exit');
    clearTimeout(timer);
    assert.equal(status, 128 + constants.signals[signal]);
    assert(JSON.parse(readFileSync(join(project, 'busy.json'), 'utf8')).calls > 0);
    rmSync(join(project, 'busy.json'));
  });
}

test('a second SIGINT ends everything at once', async () => {
  const temporary = at('temporary');
  mkdirSync(temporary);
  const args = [perf, 'record', '-o', 'a.json', '--', 'sh', '-c', "trap '' INT; echo ready; exec sleep 600"];
  const env = { ...process.env, TMPDIR: temporary };
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), 600_000);
  await once(child.stdout, 'data');
  const again = setInterval(() => child.kill('SIGINT'), 200); // those soon after the first are the same one
  const [, signal] = await once(child, 'exit');
  clearInterval(again);
  clearTimeout(timer);
  assert.equal(signal, 'SIGINT');
  assert.deepEqual(readdirSync(temporary), []);
});

const compiler = join(process.env.WI_NPM ?? '', 'node_modules/typescript/bin/tsc');

test('the types', { skip: !existsSync(compiler) && 'typescript is not installed' }, () => {
  const check = (code) => {
    writeFileSync(join(project, 'app.mts'), code);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
    return inProject(process.execPath, [compiler, ...options, 'app.mts']);
  };
  const good = check(`
    import { instrument, instrumentAsync, report, type InstrumentOptions } from 'wasm-perf';
    import { wasmPerf } from 'wasm-perf/browser';
    import plugin from 'wasm-perf/vite';
    const options: InstrumentOptions = { clock: 'instructions', only: ['a', 'b'], skipLeaves: 3, embed: true };
    const { bytes, warnings } = instrument(new Uint8Array(8), options);
    const text: string = warnings.join();
    const page = report(bytes, { format: 'html' });
    instrumentAsync(page).then((made) => made.bytes.length + text.length);
    const calls: bigint = wasmPerf.countCalls();
    export default { plugins: [plugin({ module: '*.wasm', build: calls > 0n })] };
  `);
  assert.equal(good.status, 0, good.stdout);
  const wrong = check(`import { instrument } from 'wasm-perf'; instrument(new Uint8Array(8), { clock: 'sand' });`);
  assert.match(wrong.stdout, /'"sand"' is not assignable/);
});
