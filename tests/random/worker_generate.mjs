/**
 * Makes random modules and instruments them. They are valid, so wasm-instrument has to accept all,
 * and both section readers have to give the same.
 * {folder, seed, indices, module?, wasmTools, wasmInstrument, options} -> for each index
 * {file, instrumented, linked: beside an embedded form, isSingle, fault: of ours}, {refused: why it has no form
 * with one memory} or {failed: why there is no module}
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../spec/pool.mjs';
import { tool } from '../support/tools.mjs';
import { Random } from './prng.mjs';

const SECONDS = 60;
const EMBED = '--embed';
const SINGLE = '--single-memory';
const COMMON = [
  'bulk-memory',
  'exceptions',
  'extended-const',
  'gc',
  'memory64',
  'multi-value',
  'reference-types',
  'relaxed-simd',
  'saturating-float-to-int',
  'sign-extension-ops',
  'simd',
  'tail-call',
  'threads',
];
const RARE = ['custom-page-sizes', 'wide-arithmetic', 'compact-imports'];
const INSTRUCTIONS = [
  'numeric',
  'vector',
  'reference',
  'parametric',
  'variable',
  'table',
  'memory',
  'aggregate',
];

/** [--min-x, --max-x] with a few at least, because the generator alone makes few of anything. */
const between = (name, least, most) => [
  [`min-${name}`, least],
  [`max-${name}`, least + most],
];

/**
 * Each module has some of the features and its own sizes, so that all combinations come up. Fuel
 * ends every loop and recursion; NaNs are made canonical because engines are free in their bits.
 */
function smithOptions(random, isSingle) {
  const settings = [
    ...COMMON.map((name) => [`${name}-enabled`, random.chance(75)]),
    ...RARE.map((name) => [`${name}-enabled`, random.chance(3)]),
    ['allowed-instructions', ['control', ...INSTRUCTIONS.filter(() => random.chance(50))]],
    ['canonicalize-nans', true],
    ['disallow-traps', random.chance(60)],
    ['export-everything', true],
    ['fuel', 20 + random.below(300)],
    ['generate-custom-sections', random.chance(40)],
    ['limit-arrays-in-const-exprs', true],
    ['max-instructions', 10 + random.below(200)],
    ['max-memory32-bytes', 10 * 65536],
    ['max-memory64-bytes', 10 * 65536],
    ['max-nesting-depth', 2 + random.below(20)],
    ['max-table-elements', 100],
    ['min-uleb-size', random.chance(70) ? 1 : 1 + random.below(5)],
    ...between('types', 2 + random.below(12), 8),
    ...between('funcs', 1 + random.below(12), 8),
    ...between('imports', random.below(4), 3),
    ...(isSingle ? between('memories', 1, 0) : between('memories', random.below(3), 2)),
    ...between('tables', random.below(3), 2),
    ...between('element-segments', random.below(3), 2),
  ];
  return ['--ensure-termination', ...settings.map(([name, value]) => `--${name}=${value}`)];
}

function run(program, args, input) {
  return spawnSync(program, args, { input, encoding: 'utf8', timeout: SECONDS * 1000 });
}

function instrument({ folder, wasmTools, wasmInstrument }, options, index, file, suffix) {
  const instrumented = join(folder, `${index}${suffix}`);
  const command = ['-q', ...options, file, '-o', instrumented];
  const { status, signal, stderr, error } = run(wasmInstrument, command);
  if (status !== 0)
    return {
      fault: `wasm-instrument: ${signal ?? error?.message ?? `exit status ${status}`}: ${stderr}`,
    };
  const validated = run(wasmTools, ['validate', '--features', 'all', instrumented]);
  return validated.status === 0
    ? { instrumented }
    : { instrumented, fault: `wasm-tools rejects the output: ${validated.stderr}` };
}

/** The embedded form comes with the linked form of the same module, to which it is compared. */
function rewrite(job, index, file) {
  const { options } = job;
  const checked = run(tool('check-module'), [file]);
  if (checked.status !== 0) return { fault: `check-module: ${checked.stdout}` };
  const made = instrument(job, options, index, file, '.prof.wasm');
  if (made.fault?.includes(`${SINGLE} is impossible`)) return { refused: made.fault };
  if (made.fault || !options.includes(EMBED)) return made;
  const clock = options.some((option) => option.startsWith('--clock')) ? [] : ['--clock=none'];
  const others = [...options.filter((option) => option !== EMBED && option !== SINGLE), ...clock];
  const { instrumented: linked, fault } = instrument(job, others, index, file, '.linked.wasm');
  return { ...made, linked, fault, isSingle: options.includes(SINGLE) };
}

function generate(job, index) {
  const { folder, seed, wasmTools } = job;
  const random = new Random(seed, index);
  const file = join(folder, `${index}.wasm`);
  const options = smithOptions(random, job.options.includes(SINGLE));
  const input = random.bytes(500 + random.below(12000), random.below(60));
  const { status, stderr } = run(wasmTools, ['smith', ...options, '-o', file], input);
  return status === 0 ? { file } : { failed: stderr.trim().split('\n')[0] };
}

/** A job may bring a module of its own instead of having one made. */
function prepare(job, index) {
  const module = job.module ? { file: job.module } : generate(job, index);
  return { index, ...module, ...(module.file && rewrite(job, index, module.file)) };
}

serve((job) => {
  mkdirSync(job.folder, { recursive: true });
  return job.indices.map((index) => prepare(job, index));
});
