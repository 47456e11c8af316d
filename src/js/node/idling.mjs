/**
 * Detects idle threads: their event loop has no events. (The time that a loop waited cannot be used: libuv
 * forgets it when a signal wakes the thread, which each sample does.)
 */

const { nodeTiming } = performance;
const { setTimeout } = globalThis; // the program may replace it
const cpuUsage = process.threadCpuUsage?.bind(process);

const GLANCE = 250; // ms between checks
const LONGEST_GLANCE = 8 * GLANCE; // while there are events: each check wakes a thread that waits for the next one
const PATIENCE = 4; // consecutive checks without work until the thread counts as idle
const WORK = 3000; // µs of CPU time between checks that mean work: checks and a few samples cost less

let isAsked = false; // since the last check: requests are events, and answers cost CPU time

/** Call it when this thread answers a request of ours. */
export function ignoreOwnWork() {
  isAsked = true;
}

function readCpuTime() {
  const { user, system } = cpuUsage();
  return user + system;
}

/**
 * Does nothing before Node 23.9, which cannot report a thread's CPU time.
 *
 * @param {(isIdle: boolean) => boolean} rest called when the thread seems to become idle, and when it works
 *   again; returns whether it is idle
 */
export function watchIdling(rest) {
  if (!cpuUsage || !nodeTiming.uvMetricsInfo) return;
  let lastEvents = 0;
  let lastTime = 0;
  let quiet = 0; // checks without work
  let delay = GLANCE;

  /** src/samples/v8_walk.c knows this function by its name. */
  function glance() {
    const { events } = nodeTiming.uvMetricsInfo;
    const isIdle = quiet >= PATIENCE;
    const time = isIdle ? readCpuTime() : 0;
    const works = events !== lastEvents || (isIdle && time - lastTime > WORK);
    delay = works && !isAsked ? Math.min(2 * delay, LONGEST_GLANCE) : GLANCE;
    if (!isAsked) quiet = works ? 0 : quiet + 1;
    if (isIdle !== quiet >= PATIENCE && rest(!isIdle) === isIdle) quiet = 0;
    isAsked = false;
    lastEvents = events;
    lastTime = quiet >= PATIENCE ? readCpuTime() : 0;
    setTimeout(glance, delay).unref();
  }

  setTimeout(glance, delay).unref();
}
