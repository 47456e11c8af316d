/** wasm-perf record -- COMMAND, where there is no native command: profiles a JavaScript program. */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, delimiter, join, resolve as resolvePath } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { EXIT_FAILURE, EXIT_SIGNAL_BASE, EXIT_USAGE, SESSION } from '../wperf/format.mjs';
import { say } from '../node/message.mjs';

const USAGE = `Usage: wasm-perf record [OPTION]... -- COMMAND [ARGUMENT]...

Runs COMMAND and reports on the WebAssembly modules that Node.js instantiates in it, in its threads and
child processes, too. Streams and exit code are the program's.

Options:
  -o, --output FILE   the report; its name chooses the format: .html, .svg, .json, .wperf and others;
                      default: the name of the script that COMMAND runs, with .html
      --clock CLOCK   what is measured: sampled (the default), instructions or none
      --module NAME   only modules of that name, a glob
      --open          open the report in a browser
      --symbols FILE  name functions without a name after FILE, another build of the module: ~NAME
  -h, --help          print this help
`;
const register = new URL('../bundle/register.mjs', import.meta.url).href;

function fail(code, message) {
  say(message);
  return code;
}

function parse(words) {
  const end = words.indexOf('--');
  const { values, positionals } = parseArgs({
    args: end < 0 ? words : words.slice(0, end),
    options: {
      output: { type: 'string', short: 'o' },
      clock: { type: 'string', default: 'sampled' },
      module: { type: 'string', default: '' },
      open: { type: 'boolean', default: false },
      symbols: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  });
  if (values.help) return values;
  const command = end < 0 ? [] : words.slice(end + 1);
  if (command.length === 0 || positionals.length > 0) {
    throw new TypeError("this package records JavaScript programs: '-- node app.mjs' is to be the end");
  }
  if (values.open && !/\.(html|svg)$/.test(values.output ?? '.html')) {
    throw new TypeError('--open goes with -o FILE.html or FILE.svg');
  }
  return { ...values, command };
}

/** Wrappers such as npx send on what a terminal has sent already: within these ms it is the same signal. */
const SAME_SIGNAL = 500;

/** Ends this process by the signal, and leaves nothing behind. */
function endBy(signal, folder) {
  rmSync(folder, { recursive: true, force: true });
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/**
 * Runs the program to its end; returns its exit code. The first signal is the program's, which may be too
 * busy to see it: a note in the session's folder is seen by its watcher. A second SIGINT ends everything,
 * unless the program does something about it itself.
 */
function run([program, ...args], env, folder) {
  const child = spawn(program, args, { stdio: 'inherit', env });
  const file = join(env.WASM_PERF_FOLDER, SESSION.stop);
  let interrupted = -Infinity;
  const note = (signal) => existsSync(file) || writeFileSync(file, String(constants.signals[signal]));
  process.on('SIGINT', (signal) => {
    const isFirst = interrupted === -Infinity;
    if (isFirst) interrupted = performance.now();
    if (isFirst || existsSync(file + SESSION.handled)) return note(signal); // a terminal has sent it on
    if (performance.now() - interrupted < SAME_SIGNAL) return;
    child.kill('SIGKILL');
    endBy(signal, folder);
  });
  process.on('SIGTERM', (signal) => {
    child.kill(signal);
    note(signal);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? EXIT_SIGNAL_BASE + constants.signals[signal]));
  });
}

/** Runs a command of this package in a thread, while any signal ends everything. */
function runInThread(name, words, folder) {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.removeAllListeners(signal);
    process.on(signal, () => endBy(signal, folder));
  }
  const thread = new Worker(new URL('./command_thread.mjs', import.meta.url), { workerData: { name, words } });
  return new Promise((resolve, reject) => {
    thread.on('message', resolve);
    thread.on('error', reject);
  });
}

/** Has the desktop show a file. */
function openInBrowser(path) {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform] ?? 'xdg-open';
  const child = spawn(opener, [resolvePath(path)], { stdio: 'ignore', detached: true });
  child.on('error', () => say(`no browser was found: open ${path} in one`));
  child.unref();
}

const SCRIPT = /\.[cm]?[jt]s$/;

/** What a command is called: as its script, or as the program where there is none. */
function nameOf([program, ...args]) {
  return basename(args.find((arg, i) => SCRIPT.test(arg) && !LOADERS.has(args[i - 1])) ?? program);
}

/** Options of Node before a script that is not the program. */
const LOADERS = new Set(['-r', '--require', '--import', '--loader', '--experimental-loader']);

async function recordTo(folder, { output, clock, module, open, symbols, command }) {
  const name = nameOf(command);
  const profile = join(folder, `${name}.wperf`);
  const env = {
    ...process.env,
    NODE_OPTIONS: [process.env.NODE_OPTIONS, `--import=${register}`].filter(Boolean).join(' '),
    WASM_PERF_OUTPUT: profile,
    WASM_PERF_FOLDER: mkdtempSync(join(folder, 'session-')),
    WASM_PERF_CLOCK: clock,
    WASM_PERF_MODULE: module,
    WASM_PERF_SYMBOLS: symbols.join(delimiter),
  };
  const code = await run(command, env, folder);
  if (!existsSync(profile)) return code || EXIT_FAILURE; // the program's threads have said why
  const target = output ?? `${name.replace(SCRIPT, '')}.html`;
  const isProfile = target.endsWith('.wperf');
  const words = isProfile ? ['merge', '--by-module', '-o', target, profile] : ['report', '-o', target, profile];
  const status = await runInThread('wasm-perf', words, folder);
  if (open && status === 0) openInBrowser(target);
  return code || status;
}

/** Why a program could not be started. */
function spawnMessage({ code, path }) {
  if (code === 'ENOENT') return `${path}: there is no such command`;
  const advice = SCRIPT.test(path) ? `; to run a script: wasm-perf record -- node ${path}` : '';
  return code === 'EACCES' ? `${path}: it is not executable${advice}` : `${path}: it cannot be started: ${code}`;
}

/** Runs `record` with these words; returns the exit code. */
export async function record(words) {
  let options;
  try {
    options = parse(words);
  } catch (error) {
    return fail(EXIT_USAGE, `record: ${error.message}`);
  }
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'wasm-perf-'));
  try {
    return await recordTo(folder, options);
  } catch (error) {
    return fail(EXIT_FAILURE, error.syscall?.startsWith('spawn') ? spawnMessage(error) : error.message);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
