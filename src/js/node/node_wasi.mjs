/**
 * Runs an instrumented WASI command in Node and writes its profile, which the linked runtime has, or the
 * embedded one:
 *
 *     node node_wasi.mjs --runtime wasm_perf.wasm --output app.wperf
 *          [--dir HOST[::GUEST]]... [--env NAME=VALUE]... [--node-limit N]
 *          [--recursion full|fold] [--clock sampled]
 *          -- app.prof.wasm [ARGUMENT...]
 *
 * With --plain, runs any command without a profile.
 *
 * Streams and exit code are the program's. A trap prints a message on stderr and exits with 134, as in
 * wasmtime, and the profile is written. Exits with 1 if the module cannot run.
 */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { runInThisContext } from 'node:vm';
import { takeFile } from '../engine/embedded.mjs';
import { isStackOverflow } from '../engine/stack.mjs';
import { adviceFor, adviceOnStack } from './advice.mjs';
import { EXIT_FAILURE, EXIT_SIGNAL_BASE } from '../wperf/format.mjs';
import { interruptible } from './interruptible.mjs';
import { LinkedSamples } from './linked_samples.mjs';
import { say } from './message.mjs';
import { enter } from './presence.mjs';
import { createProfiler } from '../engine/profiler.mjs';
import { finishBeforeSignals, prepareEndBy, prepareSignals } from './signals.mjs';
import { standardInput } from './standard_input.mjs';
import { setRequests, startWatcher } from './threads.mjs';

/** The shell's exit code for SIGABRT. */
const EXIT_TRAP = EXIT_SIGNAL_BASE + constants.signals.SIGABRT;

/** The module cannot run. The user needs only the message. */
class CannotRun extends Error {}

/** The program ended by a trap or an uncaught exception. */
class ProgramFailed extends Error {}

const STACK_ADVICE = adviceOnStack('--engine-option=--stack-size=3000 (KB)');

/** Imports node:wasi without the warning that it is experimental. Other warnings stay. */
async function importWasi() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('WASI ')) emitWarning.call(process, warning, ...rest);
  };
  return (await import('node:wasi')).WASI;
}

function readCommandLine() {
  const { values, positionals } = parseArgs({
    options: {
      runtime: { type: 'string' },
      output: { type: 'string' },
      'node-limit': { type: 'string', default: '0' },
      recursion: { type: 'string' },
      clock: { type: 'string' },
      plain: { type: 'boolean', default: false },
      invoke: { type: 'string' },
      argument: { type: 'string', multiple: true, default: [] },
      dir: { type: 'string', multiple: true, default: [] },
      env: { type: 'string', multiple: true, default: [] },
    },
    allowPositionals: true,
  });
  const [modulePath, ...args] = positionals;
  if ((!values.plain && (!values.runtime || !values.output)) || !modulePath) {
    throw new Error('--runtime, --output and a module are needed');
  }
  return { ...values, modulePath, name: basename(modulePath), args };
}

/** ["a::b", "c"] -> {b: "a", c: "c"} */
function parsePreopens(dirs) {
  return Object.fromEntries(
    dirs.map((dir) => {
      const at = dir.indexOf('::');
      return at < 0 ? [dir, dir] : [dir.slice(at + 2), dir.slice(0, at)];
    }),
  );
}

/** ["a=b=c"] -> {a: "b=c"} */
function parseEnvironment(variables) {
  return Object.fromEntries(
    variables.map((variable) => {
      const at = variable.indexOf('=');
      return [variable.slice(0, at), variable.slice(at + 1)];
    }),
  );
}

async function compile(bytes) {
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new CannotRun(adviceFor(`Node ${process.version} cannot compile it: ${error.message}`));
  }
}

/** Returns the version of WASI, from the name of the module's imports. */
function wasiVersion(module) {
  const imports = WebAssembly.Module.imports(module);
  return imports.some((item) => item.module === 'wasi_unstable') ? 'unstable' : 'preview1';
}

/** "i64:12" -> 12n */
function readArgument(argument) {
  const [, type, text] = /^(i32|i64|f32|f64):(.*)$/.exec(argument);
  return type === 'i64' ? BigInt(text) : Number(text);
}

/** Calls a function of a module that is not a command, and prints its results. Returns the exit code. */
function invoke({ exports }, wasi, { invoke: name, argument }) {
  const { memory, _initialize } = exports;
  if (memory) wasi.initialize({ exports: { memory, ...(_initialize && { _initialize }) } });
  else _initialize?.();
  const results = [exports[name](...argument.map(readArgument))].flat();
  for (const result of results) if (result !== undefined) console.log(String(result));
  return 0;
}

/** Checks what a command needs before instantiation: a module that cannot run has no profile. */
function checkCommand(module, options) {
  const spawns = ({ module: from, name }) => from === 'wasi' && name === 'thread-spawn';
  if (WebAssembly.Module.imports(module).some(spawns)) throw new CannotRun(adviceFor('wasi-threads'));
  if (options.invoke !== undefined) return;
  for (const [wanted, kind] of [['_start', 'function'], ['memory', 'memory']]) {
    const isWanted = (item) => item.name === wanted && item.kind === kind;
    if (!WebAssembly.Module.exports(module).some(isWanted)) throw new CannotRun(adviceFor(`no ${wanted}`));
  }
}

const run = (instance, wasi, options) =>
  options.invoke === undefined ? wasi.start(instance) : invoke(instance, wasi, options);

/** Returns the exit code if the program asked for one. Otherwise throws the reason why it ended. */
function endOf(error, { exitCode }) {
  if (typeof error === 'symbol' && exitCode !== undefined) return exitCode; // thrown by Node for proc_exit
  if (error instanceof CannotRun) throw error;
  const isRefusal = error instanceof WebAssembly.LinkError || String(error?.code).startsWith('ERR_');
  throw isRefusal ? new CannotRun(adviceFor(error.message)) : new ProgramFailed('', { cause: error });
}

/** Instantiates the module and calls _start. Returns the program's exit code. */
async function runProgram(module, wasi, imports, running, options) {
  try {
    running.instance = await WebAssembly.instantiate(module, imports);
    return run(running.instance, wasi, options);
  } catch (error) {
    const isNoObject = error instanceof TypeError && !running.instance; // an imported module is missing
    return endOf(isNoObject ? new CannotRun(adviceFor(error.message)) : error, running);
  }
}

/** The descriptor that WASI reads from, see standard_input.mjs. */
const inputOf = (module) => (wasiVersion(module) === 'unstable' ? null : standardInput());

/** Returns an exception's message and the functions that it passed through, one per line. */
function describe(error) {
  if (!(error instanceof Error)) return 'an exception that the program did not catch';
  const frames = String(error.stack)
    .split('\n')
    .filter((line) => /^ {4}at .*wasm-function/.test(line));
  return [error.message, ...frames].join('\n');
}

function createWasi(WASI, module, { name, args, env, dir }) {
  return new WASI({
    version: wasiVersion(module),
    args: [name, ...args],
    env: parseEnvironment(env),
    preopens: parsePreopens(dir),
    stdin: inputOf(module)?.fd ?? 0,
    returnOnExit: true,
  });
}

/**
 * Wraps functions, which may be native. V8's samples have frames only for functions of JavaScript, named as in
 * the source code. And Node 22 aborts if native functions are linked to a module with several memories (V8 issue
 * 14260), such as one with the embedded runtime.
 */
function named(calls) {
  const wrappers = Object.keys(calls).map((name) => `${name}: (...args) => calls.${name}(...args)`);
  return runInThisContext(`(calls) => ({ ${wrappers.join(', ')} })`, { filename: import.meta.url })(calls);
}

/** Returns the import object of `wasi`. Node 18, in Debian 12, cannot make it. */
function importsOf(wasi, module, running) {
  const isOld = wasiVersion(module) === 'unstable'; // with different subscriptions
  const name = isOld ? 'wasi_unstable' : 'wasi_snapshot_preview1';
  const all = wasi.getImportObject?.()[name] ?? wasi.wasiImport;
  const memory = () => running.instance?.exports.memory;
  const interruptibleCalls = isOld ? all : interruptible(all, memory, inputOf(module));
  const proc_exit = (code) => all.proc_exit((running.exitCode = code));
  return { [name]: named({ ...interruptibleCalls, proc_exit }) };
}

/** Reads the profile of a module: from the runtime inside it, or from the one that is linked to it. */
async function profilerOf(bytes, module, running, options) {
  const isEmbedded = WebAssembly.Module.exports(module).some(({ name }) => name === 'wasm_perf_profile');
  if (isEmbedded) return { profile: () => running.instance && takeFile(running.instance) };
  const runtime = readFileSync(options.runtime);
  const isSampled = options.clock === 'sampled';
  const profiler = await createProfiler({
    runtime,
    module: bytes,
    nodeLimit: Number(options['node-limit']),
    recursion: options.recursion,
    clock: isSampled ? 'none' : options.clock,
  });
  const samples = isSampled ? new LinkedSamples(options.output, bytes, runtime) : undefined;
  const { imports, importModule } = profiler;
  return { imports, importModule, samples, profile: () => profiler.profile(samples?.facts) };
}

function writeProfile(profile, output) {
  const unfinished = `${output}.unfinished`;
  try {
    writeFileSync(unfinished, profile);
    renameSync(unfinished, output);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new CannotRun(`its profile cannot be written: ${error.message}`);
  }
}

/** Calls `keep` before a signal ends the program, and if wasm-perf asks for it in the folder. */
function keepWhenAsked(keep, folder) {
  setRequests({ flush: keep, stop: prepareEndBy });
  prepareSignals(folder);
  finishBeforeSignals(keep);
  enter(folder);
  startWatcher(folder);
}

async function main(options) {
  const bytes = readFileSync(options.modulePath);
  const WASI = await importWasi();
  const module = await compile(bytes);
  checkCommand(module, options);
  const running = { instance: null, exitCode: undefined };
  const profiler = options.plain ? null : await profilerOf(bytes, module, running, options);
  const wasi = createWasi(WASI, module, options);
  const imports = importsOf(wasi, module, running);
  if (profiler?.importModule) {
    imports[profiler.importModule] = { ...imports[profiler.importModule], ...profiler.imports };
  }
  const keep = () => {
    const profile = profiler.profile(); // none of an embedded runtime whose module was not instantiated
    if (!profile) return;
    const write = () => writeProfile(profile, options.output);
    if (profiler.samples) profiler.samples.write(write);
    else write();
  };
  if (profiler) keepWhenAsked(keep, dirname(options.output));

  try {
    process.exitCode = await runProgram(module, wasi, imports, running, options);
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error;
    say(`${options.name}: ${describe(error.cause)}`);
    if (isStackOverflow(error.cause)) say(`${options.name}: ${STACK_ADVICE}`);
    process.exitCode = EXIT_TRAP;
  }
  if (profiler) keep(); // otherwise the profiler that was loaded into this process writes the profile
}

const options = readCommandLine();
try {
  await main(options);
} catch (error) {
  // The stack helps only if the error is ours.
  say(`${options.name}: ${error instanceof CannotRun ? error.message : error.stack}`);
  process.exitCode = EXIT_FAILURE;
}
