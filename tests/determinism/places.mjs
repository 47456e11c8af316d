// Two places to run a program in, which differ in folder, user, order and times of files, variables and, as far as this
// machine permits, in day, host name and number of processors.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findElsewhere } from '../support/elsewhere.mjs';
import { packageFile, temporaryFolder, tool } from '../support/tools.mjs';

const NOBODY = 65534;
export const folder = temporaryFolder();
chmodSync(folder, 0o755);

/** What the second user may not be able to reach where it is. */
function copied(path, name) {
  if (existsSync(path)) cpSync(path, join(folder, name), { recursive: true, dereference: true });
  return join(folder, name);
}

const pathOf = (command) => spawnSync('sh', ['-c', `command -v ${command}`], { encoding: 'utf8' }).stdout.trim();
const versionOf = (command) => spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout.trim().split(' (')[0];

/** wasm-perf, with what it looks for in its own folder. */
const wasmPerf = ['wasm_perf.wasm', 'js', 'wasm-instrument', 'wasm-perf'].map((name) => copied(tool(name), name)).at(-1);

/** Engines by name: command, and what tables call it. wasmtime if it is there. */
export const engines = {
  node: { command: copied(process.execPath, 'node') },
  'node 22': { command: copied(packageFile('node22/bin/node'), 'node22') },
  wasmtime: { command: pathOf('wasmtime') && copied(pathOf('wasmtime'), 'wasmtime') },
};
for (const [name, engine] of Object.entries(engines)) {
  if (engine.command && existsSync(engine.command)) engine.label = versionOf(engine.command).replace(/^v/, 'Node.js ');
  else delete engines[name];
}

/** Packages for scripts, by links: the folder is large. */
const modules = join(process.env.WI_CACHE, 'packages/node_modules');
const linked = (options) => spawnSync('cp', [...options, modules, folder]).status === 0;
export const hasPackages = existsSync(modules) && (linked(['-al']) || linked(['-a']));

/** A folder with its own copies of everything, of that user. */
function makePlace(name, uid, time, order) {
  const path = join(folder, name);
  mkdirSync(join(path, 'files'), { recursive: true });
  for (const i of order) {
    const file = join(path, 'files', `file ${i * 37 % 50}`);
    writeFileSync(file, 'x'.repeat(i * 37 % 50));
    utimesSync(file, time, time);
  }
  if (process.getuid() !== 0) uid = process.getuid();
  return { path, uid, env: { ...process.env, HOME: path, TMPDIR: path, USER: name, LOGNAME: name, LANG: name, WASM_PERF_CACHE: '', [name]: name.repeat(20) } };
}
const order = Array.from({ length: 50 }, (_, i) => i);
export const places = [makePlace('one', process.getuid(), 1e9, order), makePlace('another', NOBODY, 1.4e9, order.toReversed())];

/** Commands that run an engine as if on another machine, as far as the second user is permitted to. */
const { words } = findElsewhere({ uid: places[1].uid, gid: places[1].uid });
const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;
mkdirSync(join(folder, 'elsewhere'));
places[1].commands = Object.fromEntries(Object.entries(engines).map(([name, { command }]) => {
  const path = join(folder, 'elsewhere', name.replace(' ', ''));
  writeFileSync(path, `#!/bin/sh\nexec ${[...words, command].map(quoted).join(' ')} "$@"\n`, { mode: 0o755 });
  return [name, path];
}));

/** Copies what was built into both places. */
export function distribute(built) {
  for (const { path, uid } of places) {
    cpSync(built, path, { recursive: true });
    for (const file of readdirSync(path, { recursive: true })) chownSync(join(path, file), uid, uid);
    chownSync(path, uid, uid);
  }
}

/** The program's words for a command, with the paths that it has in another folder than `built`. */
export function wordsOf({ module, dir = [], env = [], script, args = [] }, engine, built, path) {
  const moved = (word) => word.replace(built, path);
  return script ? ['--', engine.command, ...script.map(moved)] : [...dir.map((each) => `--dir=${each}`), ...env.map((each) => `--env=${each}`), moved(module), ...args];
}

/** A line for each name, as in a baseline: numbers of functions move with what a host adds to the module. */
function byName(functions) {
  const costs = new Map();
  for (const { name, self, calls } of functions) {
    const plain = name.replace(/ \(func \d+\)$/, '');
    const [cost, count] = costs.get(plain) ?? [0, 0];
    costs.set(plain, [cost + self, count + calls]);
  }
  return [...costs].map((each) => JSON.stringify(each)).sort();
}

/** What the program counted there: its profile, function by function, as a text, with its output. */
export function measure(program, name, built, { path, uid, env, commands }) {
  const commandOf = (engine) => commands?.[engine] ?? engines[engine].command;
  const words = wordsOf(program, { command: commandOf(name) }, built, path);
  const profile = join(path, 'run.wperf');
  const node = commandOf(name === 'wasmtime' ? 'node' : name);
  const own = { ...env, WASM_PERF_NODE: node, ...(engines.wasmtime && { WASM_PERF_WASMTIME: commandOf('wasmtime') }) };
  const args = ['record', '--deterministic', '--memory', '--clock=instructions', '-o', profile,
    ...(program.script ? [] : [`--engine=${name.split(' ')[0]}`]), ...words];
  const { status, stdout, stderr, error } = spawnSync(wasmPerf, args, { cwd: path, uid, gid: uid, env: own, encoding: 'utf8', timeout: 300000 });
  if (status !== 0) throw new Error(`${name} in ${path}: ${error?.message ?? (stderr || stdout)}`);
  const { stdout: text } = spawnSync(tool('wasm-perf'), ['report', '--format=json', profile], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const { functions, total } = JSON.parse(text);
  return { total, counts: [JSON.stringify(stdout), ...byName(functions)].join('\n') };
}

/** The list of benchmarks that has the program alone, as `app`. */
export function listOf({ module, dir = [], env = [], script, args = [] }, engine) {
  const array = (key, values) => (values.length > 0 ? `${key} = ${JSON.stringify(values)}\n` : '');
  return `[benchmark.app]\n${script
    ? array('command', [engine.command, ...script])
    : `module = ${JSON.stringify(module)}\n`}${array('dir', dir)}${array('env', env)}${array('args', args)}`;
}
