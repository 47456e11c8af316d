/**
 * Tracks which processes of a program are running. Each has a file PID.running in the session's folder until it
 * has written its profiles. A program may end before its children, whose profiles count, too.
 */

import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SESSION } from '../wperf/format.mjs';

const PATIENCE = 3000; // ms
const GLANCE = 10; // ms between checks

const fileOf = (folder, pid) => join(folder, `${pid}${SESSION.running}`);

export function enter(folder) {
  writeFileSync(fileOf(folder, process.pid), '');
}

export function leave(folder) {
  rmSync(fileOf(folder, process.pid), { force: true });
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Process ids of the others that have entered, not left, and are still alive. */
function others(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(SESSION.running))
    .map((name) => Number.parseInt(name, 10))
    .filter((pid) => pid !== process.pid && isRunning(pid));
}

/** Waits for the other processes, even while this one exits. Returns those still running. */
export function waitForOthers(folder) {
  const deadline = performance.now() + PATIENCE;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const running = others(folder);
    if (running.length === 0 || performance.now() >= deadline) return running;
    Atomics.wait(clock, 0, 0, GLANCE);
  }
}
