/**
 * Tracks the processes of a program. Each has a file PID.running in the session's folder until it has written its
 * profiles, and PID.ran then. A program may end before its children, whose profiles count, too.
 */

import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SESSION, SESSION_MESSAGES } from '../wperf/format.mjs';
import { sayOne } from './message.mjs';

const PATIENCE = 3000; // ms
const GLANCE = 10; // ms between checks

const fileOf = (folder, end) => join(folder, `${process.pid}${end}`);

export function enter(folder) {
  writeFileSync(fileOf(folder, SESSION.running), '');
}

export function leave(folder) {
  const running = fileOf(folder, SESSION.running);
  if (existsSync(running)) renameSync(running, fileOf(folder, SESSION.ran));
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
export function others(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(SESSION.running))
    .map((name) => Number.parseInt(name, 10))
    .filter((pid) => pid !== process.pid && isRunning(pid));
}

/** Waits for the other processes, even while this one exits. Says so if one takes too long. */
export function waitForOthers(folder) {
  const deadline = performance.now() + PATIENCE;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  let [running] = others(folder);
  while (running && performance.now() < deadline) {
    Atomics.wait(clock, 0, 0, GLANCE);
    [running] = others(folder);
  }
  if (running) sayOne(SESSION_MESSAGES.running, running);
}
