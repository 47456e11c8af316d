/**
 * Detects threads that idle, or nearly: samples of them are signals that wake them for nothing. (The time that a loop
 * waited cannot be used: libuv forgets it when a signal wakes the thread, which each sample does.)
 */

const { nodeTiming } = performance;
const now = performance.now.bind(performance); // the program may replace it, as it may this
const { setTimeout } = globalThis;
const cpuUsage = process.threadCpuUsage?.bind(process);

const US_PER_MS = 1000;
const GLANCE = 250; // ms between checks
const LONGEST_GLANCE = 8 * GLANCE; // while there are events: each check wakes a thread that waits for the next one
const PATIENCE = 4 * GLANCE; // ms of checks without work until the thread counts as idle
const LONGEST_PATIENCE = 64 * PATIENCE; // if it turned out to work
const REST_SHARE = 0.25; // of a core: a thread that takes less, samples included, may be nearly idle
const WORK_SHARE = 0.1; // of a core: a thread that takes more, now that samples are rare, works

let isAsked = false; // since the last check: requests are events, and answers cost CPU time

/** Call it when this thread answers a request of ours. */
export function ignoreOwnWork() {
  isAsked = true;
}

function readCpuTime() {
  const { user, system } = cpuUsage();
  return (user + system) / US_PER_MS;
}

/**
 * Does nothing before Node 23.9, which cannot report a thread's CPU time.
 *
 * @param {(isIdle: boolean) => boolean} rest called when the thread seems to become idle, and when it works
 *   again; returns whether it is idle
 */
export function watchIdling(rest) {
  if (!cpuUsage || !nodeTiming.uvMetricsInfo) return;
  let last = { events: 0, cpu: readCpuTime(), at: now() };
  let isIdle = false;
  let quiet = 0; // ms of checks without work
  let patience = PATIENCE;
  let delay = GLANCE;

  function change(to) {
    const is = rest(to);
    if (is === isIdle) patience = Math.min(2 * patience, LONGEST_PATIENCE); // it works all the same
    else if (is) patience = PATIENCE;
    isIdle = is;
    quiet = 0;
  }

  /** src/samples/v8_walk.c knows this function by its name. */
  function glance() {
    const { events } = nodeTiming.uvMetricsInfo;
    const next = { events, cpu: readCpuTime(), at: now() };
    const share = (next.cpu - last.cpu) / (next.at - last.at);
    const hasEvents = events !== last.events;
    if (isAsked) {
      delay = GLANCE; // soon again, without a request in between
    } else {
      const works = share > (isIdle ? WORK_SHARE : REST_SHARE);
      delay = hasEvents ? Math.min(2 * delay, LONGEST_GLANCE) : GLANCE;
      if (!hasEvents) patience = PATIENCE;
      quiet = works ? 0 : quiet + next.at - last.at;
      if (isIdle ? works : quiet >= patience) change(!isIdle);
    }
    isAsked = false;
    last = next;
    setTimeout(glance, delay).unref();
  }

  setTimeout(glance, delay).unref();
}
