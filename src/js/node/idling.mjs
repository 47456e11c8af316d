/**
 * Detects idle threads: their event loop has no events. (The time that a loop waited cannot be used: libuv
 * forgets it when a signal wakes the thread, which each sample does.)
 */

const { nodeTiming } = performance;
const { setInterval } = globalThis; // the program may replace it
const cpuUsage = process.threadCpuUsage?.bind(process);

const GLANCE = 100; // ms between checks
const PATIENCE = 10; // consecutive checks without work until the thread counts as idle
const OWN_CHECKS = 2;
const WORK = 3000; // µs of CPU time between checks that mean work: checks and a few samples cost less

let ownChecks = 0; // the next checks see work of ours: requests are events, and answers cost CPU time

/** Call it when this thread answers a request of ours. */
export function ignoreOwnWork() {
  ownChecks = OWN_CHECKS;
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
  let lastUsage = cpuUsage();
  let quiet = 0; // checks without work
  setInterval(() => {
    const { events } = nodeTiming.uvMetricsInfo;
    const { user, system } = cpuUsage(lastUsage);
    const isIdle = quiet >= PATIENCE;
    const works = events !== lastEvents || (isIdle && user + system > WORK);
    if (ownChecks > 0) ownChecks--;
    else quiet = works ? 0 : quiet + 1;
    if (isIdle !== quiet >= PATIENCE && rest(!isIdle) === isIdle) quiet = 0;
    lastEvents = events;
    lastUsage = cpuUsage();
  }, GLANCE).unref();
}
