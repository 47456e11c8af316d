/** The option of Node that keeps V8 from inlining one function of a module into another. */

import fs from 'node:fs';

export const NO_INLINING = '--no-wasm-inlining';
const FIRST_V8 = 13; // that knows it

const { readFileSync } = fs;

/** What this process was started with, as it was typed. */
function commandLine() {
  try {
    return readFileSync('/proc/self/cmdline', 'utf8').split('\0').slice(0, -1);
  } catch {
    const { execPath, execArgv, argv } = process;
    return [execPath, ...execArgv, ...argv.slice(1)];
  }
}

/** Whether V8 inlines nothing, in any thread. */
export const isUninlined = () => commandLine().includes(NO_INLINING);

/**
 * Begins anew with the option, unless it is there: V8 reads it when it starts, and may crash where it is set
 * later. Returns where this Node has no such option, or cannot begin anew. For the main thread.
 */
export function restartWithoutInlining() {
  const { execPath, execve, emitWarning, versions } = process;
  const [name, ...words] = commandLine();
  if (!execve || parseInt(versions.v8) < FIRST_V8 || words.includes(NO_INLINING)) return;
  process.emitWarning = () => {}; // that execve is experimental
  try {
    execve.call(process, execPath, [name, NO_INLINING, ...words]);
  } finally {
    process.emitWarning = emitWarning;
  }
}
