/**
 * The machine that programs see in a deterministic host: its name, processors, memory and load are constants, and
 * CPU time is the fixed clock. Programs choose numbers of threads and sizes of buffers by these.
 */

import { replaceAccessor } from '../engine/disguise.mjs';
import { builtin } from './builtin.mjs';
import { ownerOf, replaceFunction } from './replace.mjs';

const CORES = 2;
const GIB = 2 ** 30;
const MEMORY = { rss: GIB / 8, heapTotal: GIB / 16, heapUsed: GIB / 32, external: GIB / 256, arrayBuffers: GIB / 512 };
const IDLING = { idle: 0, active: 0, utilization: 0 };
const CPU = { model: 'fixed', speed: 1000, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } };

/** Replaces functions that exist in this version of Node.js. */
function replaceEach(target, replacements) {
  for (const [name, replacement] of Object.entries(replacements))
    if (typeof target[name] === 'function') replaceFunction(ownerOf(target, name), name, () => replacement);
}

const zeros = (object) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, typeof value === 'number' ? 0 : value]));

function fixProcess(look) {
  const usage = (before = { user: 0, system: 0 }) => ({ user: Math.floor(look() / 1000) - before.user, system: 0 });
  const resources = zeros(process.resourceUsage());
  const { memoryUsage } = process;
  replaceEach(process, {
    cpuUsage: usage,
    threadCpuUsage: usage,
    resourceUsage: () => ({ ...resources, userCPUTime: usage().user }),
    memoryUsage: () => ({ ...MEMORY }),
    constrainedMemory: () => 4 * GIB,
    availableMemory: () => 2 * GIB,
  });
  process.memoryUsage.rss = Object.defineProperty(() => MEMORY.rss, 'name', { value: memoryUsage.rss.name });
}

function fixOs(look) {
  replaceEach(builtin('node:os'), {
    hostname: () => 'localhost',
    availableParallelism: () => CORES,
    cpus: () => Array.from({ length: CORES }, () => structuredClone(CPU)),
    totalmem: () => 4 * GIB,
    freemem: () => 2 * GIB,
    loadavg: () => [0, 0, 0],
    uptime: () => look() / 1e9,
    networkInterfaces: () => ({}),
    getPriority: () => 0,
  });
  if (globalThis.Navigator && navigator.hardwareConcurrency)
    replaceAccessor(Navigator.prototype, 'hardwareConcurrency', { get: () => () => CORES });
}

/** How Node itself spent its time. */
function fixNodeTiming() {
  const { nodeTiming } = performance;
  const { toJSON } = nodeTiming;
  const timing = Object.create(Object.getPrototypeOf(nodeTiming), Object.getOwnPropertyDescriptors(zeros(toJSON.call(nodeTiming))));
  Object.defineProperty(timing, 'toJSON', { value: () => ({ ...timing }) });
  Object.defineProperty(ownerOf(performance, 'nodeTiming'), 'nodeTiming', { value: timing, configurable: true });
  const idling = { eventLoopUtilization: () => ({ ...IDLING }) };
  replaceEach(performance, idling);
  replaceEach(builtin('node:perf_hooks'), idling);
  replaceEach(performance, { toJSON: () => ({ nodeTiming: timing, timeOrigin: performance.timeOrigin, eventLoopUtilization: { ...IDLING } }) });
}

/**
 * Call it once in each thread.
 *
 * @param {() => number} look reads the fixed clock, in nanoseconds
 */
export function fixMachine(look) {
  fixProcess(look);
  fixOs(look);
  fixNodeTiming();
}
