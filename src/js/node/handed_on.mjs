/** The settings that a process or thread gets from the one that started it. */

import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

const THREADS_SESSION = 'wasm-perf.session';

/** Returns the settings; undefined if there are none: this is the first process. */
export function handedOn() {
  const given = process.env.WASM_PERF_SESSION ?? getEnvironmentData(THREADS_SESSION);
  return given && JSON.parse(given);
}

/** Passes the settings on: to child processes in WASM_PERF_SESSION, to threads whatever their environment is. */
export function handOn(settings) {
  process.env.WASM_PERF_SESSION = JSON.stringify(settings);
  setEnvironmentData(THREADS_SESSION, process.env.WASM_PERF_SESSION);
}
