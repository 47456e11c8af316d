/** The option of Node that keeps V8 from inlining one function of a module into another. */

import fs from 'node:fs';

export const NO_INLINING = '--no-wasm-inlining';
const FIRST_V8 = 13; // first version with the option

const { readFileSync } = fs;

/** Returns this process's command line as typed. */
function commandLine() {
  try {
    return readFileSync('/proc/self/cmdline', 'utf8').split('\0').slice(0, -1);
  } catch {
    const { execPath, execArgv, argv } = process;
    return [execPath, ...execArgv, ...argv.slice(1)];
  }
}

/** Whether inlining is off, in all threads. */
export const isUninlined = () => commandLine().includes(NO_INLINING);

/**
 * Restarts the process with the option, unless it has it: V8 reads the option at startup, and may crash if it
 * is set later.
 */
function restart() {
  const { execPath, execve, emitWarning, versions } = process;
  const [name, ...words] = commandLine();
  if (!execve || parseInt(versions.v8) < FIRST_V8 || words.includes(NO_INLINING)) return;
  process.emitWarning = () => {}; // suppresses the warning that execve is experimental
  try {
    execve.call(process, execPath, [name, NO_INLINING, ...words]);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Restarts the process without inlining. If that is impossible, returns why not. For the main thread. */
export function avoidInlining() {
  restart();
  if (isUninlined()) return null;
  return `Node.js ${process.version} cannot be kept from inlining functions: --no-inlining has no effect`;
}
