/**
 * Tells whether a thread may have nothing to do: its event loop has no events. (How long it waits for some cannot be
 * asked: it forgets what it has waited when a signal wakes it, as each sample does.)
 */

const { nodeTiming } = performance;
const { setInterval } = globalThis; // the program may put its own in its place
const cpuUsage = process.threadCpuUsage?.bind(process);

const GLANCE = 100; // ms between two looks
const PATIENCE = 10; // looks in a row that find no work, until the thread idles
const WORK = 3000; // microseconds of CPU time from one look to the next that are more than looking and few samples take

/**
 * Does nothing before Node 23.9, which does not tell what a thread has done.
 *
 * @param {(isIdle: boolean) => boolean} rest called when the thread seems to idle, and when it works again; returns
 *   whether it idles
 */
export function watchIdling(rest) {
  if (!cpuUsage || !nodeTiming.uvMetricsInfo) return;
  let lastEvents = 0;
  let lastUsage = cpuUsage();
  let quiet = 0; // looks
  setInterval(() => {
    const { events } = nodeTiming.uvMetricsInfo;
    const { user, system } = cpuUsage(lastUsage);
    const isIdle = quiet >= PATIENCE;
    const works = events !== lastEvents || (isIdle && user + system > WORK);
    quiet = works ? 0 : quiet + 1;
    if (isIdle !== quiet >= PATIENCE && rest(!isIdle) === isIdle) quiet = 0;
    lastEvents = events;
    lastUsage = cpuUsage();
  }, GLANCE).unref();
}
