/**
 * Proves that programs made of calls find what they are to find: builds the project without each piece of mutations.mjs
 * and makes programs until some differ. Started by scripts/calls.sh --without.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tool } from '../support/tools.mjs';
import { MUTATIONS } from './mutations.mjs';

const repository = resolve(import.meta.dirname, '../..');
const copy = tool('mutations'); // stays, so that the next time less is to be built
const build = join(copy, 'build');
const PARTS = ['CMakeLists.txt', 'README.md', 'LICENSE', 'src', 'include', 'examples'];

function run(command, args, settings) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 26, ...settings });
  if (result.error) throw result.error;
  return result;
}

function make(...args) {
  const { status, stdout, stderr } = run('cmake', args);
  if (status !== 0) throw new Error(`cmake ${args.join(' ')}:\n${stdout}${stderr}`);
}

/** The file of the copy with the piece taken away; a function that puts it back. */
function mutate({ name, file, from, to }) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${name}: not once in ${file}: ${from}`);
  writeFileSync(path, text.replace(from, () => to));
  return () => writeFileSync(path, text);
}

/** What is as it was is not built again; what an earlier run left without a piece is. */
const isOther = (from, to) => !statSync(from).isFile() || !existsSync(to) || !readFileSync(from).equals(readFileSync(to));

const buildAll = () => make('--build', build, '-j', '2', '--target', 'wasm-instrument', 'wasm_perf_js', 'wasm_perf_module');

/** How many programs differ, of how many. */
function count(options) {
  const env = { ...process.env, WI_BUILD: build, WASM_INSTRUMENT: join(build, 'wasm-instrument') };
  const { stdout, stderr } = run(process.execPath, [join(import.meta.dirname, 'main.mjs'), '--first', ...options], { env });
  const rows = stdout.split('\n').filter((line) => /^(v8|wasmtime) \w+ +\d/.test(line));
  if (rows.length === 0) throw new Error(stdout + stderr);
  const sums = rows.map((line) => line.trim().split(/ +/).slice(2).map(Number));
  return [sums.reduce((sum, row) => sum + row[3], 0), sums.reduce((sum, row) => sum + row[0], 0)];
}

function report(name, options) {
  buildAll();
  const [different, programs] = count(options);
  console.log(`${String(different).padStart(6)} of ${programs}  ${name}`);
  return different;
}

const [pattern, ...options] = process.argv.slice(2);
for (const part of PARTS) cpSync(join(repository, part), join(copy, part), { recursive: true, filter: isOther });
make('-S', copy, '-B', build, '-DBUILD_TESTING=OFF', '-DCMAKE_BUILD_TYPE=Release');
let isProven = report('nothing taken away', options) === 0;
for (const mutation of MUTATIONS.filter(({ name }) => name.includes(pattern))) {
  const undo = mutate(mutation);
  try {
    isProven = report(mutation.name, options) > 0 && isProven;
  } finally {
    undo();
  }
}
process.exitCode = isProven ? 0 : 1;
