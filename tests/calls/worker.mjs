/**
 * Makes cases, plays them with the modules as they are and instrumented, and judges. {engine, folder, seed, indices,
 * mode?, wasmInstrument, keeps} -> for each index {index, detail: null if all is right, counts}.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker, serve } from '../spec/pool.mjs';
import { makeCase } from './case.mjs';
import { findOtherLine, findOtherNode, findOtherOverflow } from './compare.mjs';
import { ENVIRONMENT } from './encode.mjs';
import { FUEL } from './oracle.mjs';
import { play } from './play.mjs';

const SECONDS = 300; // more than a program takes on any machine
let wasmtime; // a process that plays, once it is needed

async function playInWasmtime(folder, script, files, mode) {
  wasmtime ??= new Worker(['python3', join(import.meta.dirname, 'play_wasmtime.py')], SECONDS);
  const environment = join(folder, 'environment.wasm');
  writeFileSync(environment, ENVIRONMENT);
  const { lines, profiles, died } = await wasmtime.run({ environment, files, script, mode, fuel: FUEL });
  if (died) return { lines: [`the engine died: ${died}`], profiles: [] };
  return { lines, profiles: profiles.map((text) => text && Buffer.from(text, 'base64')) };
}

const playIn = {
  v8: (folder, script, files, mode) => play(script, files.map((file) => readFileSync(file)), mode),
  wasmtime: playInWasmtime,
};

function instrument(program, options, from, to) {
  const { status, signal, stderr } = spawnSync(program, ['-q', ...options, from, '-o', to], { encoding: 'utf8' });
  return status === 0 ? null : `wasm-instrument: ${signal ?? status}: ${stderr}`;
}

const countHooks = (file) =>
  WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(file))).filter(({ module }) => module === 'wasm_perf').length;

const callsOf = (node) => [...node.children.values()].reduce((sum, child) => sum + callsOf(child), node.calls);

/** Calls that the oracle knows the place of, and others. */
function countCalls(instances) {
  const loose = instances.flatMap((instance) => [...instance.loose.values()]).reduce((sum, calls) => sum + calls, 0);
  return { exact: instances.reduce((sum, { root }) => sum + callsOf(root), 0), loose };
}

async function judge({ engine, folder, wasmInstrument }, made) {
  const { files, options, forms, mode, script, oracle } = made;
  const [plain, instrumented] = ['plain', 'instrumented'].map((name) => files.map((_, i) => join(folder, `${name}-${i}.wasm`)));
  files.forEach((bytes, i) => writeFileSync(plain[i], bytes));
  const before = await playIn[engine](folder, script, plain, 'none');
  const unlike = findOtherLine(oracle.lines, before.lines);
  if (unlike) return `the oracle is wrong: ${unlike}`;
  const refused = files.map((_, i) => instrument(wasmInstrument, options[i], plain[i], instrumented[i])).find(Boolean);
  if (refused) return refused;
  const after = await playIn[engine](folder, script, instrumented, mode);
  const changed = findOtherLine(before.lines, after.lines);
  if (changed) return `the program is another: ${changed}`;
  for (const [i, instance] of oracle.instances.entries()) {
    const form = { ...forms[i], hookCount: forms[i].isLinked ? countHooks(instrumented[i]) : 0 };
    const isUnhooked = form.isLinked && form.hookCount === 0; // then there is nothing to link
    const difference = instance.isLost || isUnhooked ? null : findOtherNode(instance, form, after.profiles[i]);
    const hasOverflow = engine === 'v8' && !form.isLinked && !instance.isLost;
    const overflow = hasOverflow ? findOtherOverflow(instance, after.profiles[i], after.exhausted[i]) : null;
    if (difference ?? overflow) return `module ${i}, ${difference ?? overflow}`;
  }
  return null;
}

async function run(job, index) {
  const made = makeCase(job.seed, index, job.engine, job.mode && [job.mode]);
  const detail = await judge(job, made);
  const form = [made.mode, ...made.options.map((options) => options.join(' '))].join(' | ');
  return { index, mode: made.mode, detail: detail && `${form}: ${detail}`, ...countCalls(made.oracle.instances) };
}

await serve(async (job) => {
  mkdirSync(job.folder, { recursive: true });
  const answers = [];
  for (const index of job.indices) answers.push(await run(job, index));
  if (!job.keeps) rmSync(job.folder, { recursive: true });
  return answers;
});
wasmtime?.close();
