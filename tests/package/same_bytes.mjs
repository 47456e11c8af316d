// The package's instrument against the command wasm-instrument, over all modules of npm packages that
// are in WI_NPM or the files given: same bytes, same messages. Prints times, of the fastest of
// --rounds N; exit code 1 if anything differs.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const build = process.env.WI_BUILD ?? join(import.meta.dirname, '../../build');
const { instrument } = await import(pathToFileURL(join(build, 'npm/js/package/index.mjs')));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '1' } },
});
const OPTIONS = [
  {},
  { clock: 'instructions', hostCalls: true },
  { embed: true },
  { embed: true, clock: 'none', recursion: 'fold', only: ['*', '!/^_/'] }, // the package does not demangle names
  { clock: 'none', exclude: ['*alloc*', '/^_*mem(cpy|set)$/', '@3-40'], skipLeaves: 12 },
];

const folder = mkdtempSync(join(tmpdir(), 'wasm-perf-same-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

/** Some files that end in .wasm are none. */
const isModule = (path) => readFileSync(path).subarray(0, 4).toString('latin1') === '\0asm';

function modulesOf(root) {
  const names = readdirSync(root, { recursive: true }).filter((name) => name.endsWith('.wasm'));
  return names.sort().map((name) => ({ name, path: join(root, name) })).filter(({ path }) => isModule(path));
}

function words(options) {
  return Object.entries(options).flatMap(([key, value]) => {
    const name = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? [name] : [value].flat().map((item) => `${name}=${item}`);
  });
}

/** {bytes or null, messages, ms}: CPU time, as the command tells it. */
function native(path, options) {
  const output = join(folder, 'out.wasm');
  const args = ['-v', ...words(options), path, '-o', output];
  const { status, stderr } = spawnSync(join(build, 'wasm-instrument'), args, { encoding: 'utf8' });
  const lines = stderr.trimEnd().split('\n').map((line) => line.slice(`wasm-instrument: ${path}: `.length));
  if (status !== 0) return { bytes: null, messages: lines };
  const ms = Number(/([\d.]+) ms of CPU$/.exec(lines.pop())[1]);
  return { bytes: readFileSync(output), messages: lines.map((line) => line.replace(/^warning: /, '')), ms };
}

/** The same of the package, with what V8 takes to compile it. */
function packaged(path, options) {
  const input = readFileSync(path);
  const start = process.cpuUsage();
  const spent = () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  try {
    const { bytes, warnings } = instrument(input, { ...options, name: path });
    return { bytes, messages: warnings, ms: spent() };
  } catch (error) {
    return { bytes: null, messages: error.message.split('\n') };
  }
}

function fastest(make) {
  const runs = Array.from({ length: Number(values.rounds) }, make);
  return { ...runs[0], ms: Math.min(...runs.map(({ ms }) => ms)) };
}

/** What differs between two results, or ''. */
function difference(one, other) {
  if (one.messages.join('\n') !== other.messages.join('\n')) return `messages: ${one.messages} / ${other.messages}`;
  if (Boolean(one.bytes) !== Boolean(other.bytes)) return 'one fails';
  return !one.bytes || Buffer.compare(one.bytes, other.bytes) === 0 ? '' : 'bytes';
}

const files = positionals.map((path) => ({ name: path, path }));
const modules = files.length > 0 ? files : modulesOf(join(process.env.WI_NPM, 'node_modules'));
console.log(`${'module'.padEnd(58)}     MB   native ms  package ms  ratio`);
let different = 0;
const sums = { native: 0, packaged: 0 };
for (const { name, path } of modules) {
  // Where no source map lies beside it, for which the command looks and the package cannot.
  const alone = join(folder, basename(path));
  copyFileSync(path, alone);
  let [nativeMs, packagedMs] = [0, 0];
  for (const options of OPTIONS) {
    const one = fastest(() => native(alone, options));
    const other = fastest(() => packaged(alone, options));
    const what = difference(one, other);
    if (what) {
      different++;
      console.log(`${name} ${JSON.stringify(options)}: ${what}`);
    }
    nativeMs += one.ms || 0;
    packagedMs += other.ms || 0;
  }
  sums.native += nativeMs;
  sums.packaged += packagedMs;
  const mb = (readFileSync(path).length / 1e6).toFixed(2);
  const cells = [mb.padStart(6), nativeMs.toFixed(1).padStart(11), packagedMs.toFixed(1).padStart(11)];
  console.log(`${name.padEnd(58)} ${cells.join(' ')} ${(packagedMs / nativeMs).toFixed(2).padStart(6)}`);
}
console.log(
  `${modules.length} modules, ${OPTIONS.length} sets of options each, ${different} different; ` +
    `${(sums.packaged / sums.native).toFixed(2)} times the command's time`,
);
process.exitCode = different > 0 || modules.length === 0 ? 1 : 0;
