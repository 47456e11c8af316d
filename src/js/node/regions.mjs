/**
 * Counts what the modules of a thread do in each measure of the User Timing API, for wasm-perf bench:
 *
 *     performance.mark('start');
 *     parse(text);
 *     performance.measure('parse', 'start'); // what was counted from the mark until here
 *
 * Measures with the same name add up. They may nest and overlap. Nothing is subtracted here: wasm-perf gets the profiles
 * of instances at each end of a measure and at its begin.
 */

import { clean } from '../wperf/clean.mjs';
import { replaceFunction } from './replace.mjs';

const { compare } = Buffer; // saved before the program can replace it

const MOST_REGIONS = 1000; // each becomes a row
const MOST_KEPT = 256; // MB of profiles at marks
const MB = 2 ** 20;
const NOTHING = new Map();

const START = {}; // before anything was counted
const NOW = {};
const AT_TIME = { problem: 'it begins or ends at a time, but counts are only known at a mark' };

/** Where a measure begins and ends, as it was called: names, times, or undefined. */
function pointsOf(startOrOptions, endMark) {
  if (startOrOptions === null || typeof startOrOptions !== 'object') return { start: startOrOptions, end: endMark };
  const { start, end = endMark, duration } = startOrOptions;
  const hasDuration = duration !== undefined && (start ?? end) !== undefined;
  return { start, end, hasDuration };
}

function orderProblem(begin, until) {
  if (begin === START || until === NOW) return undefined;
  return until === START || begin.moment.number > until.moment.number ? 'it ends before it begins' : undefined;
}

const sizeOf = (profiles) => [...profiles.values()].flat().reduce((size, { length }) => size + length, 0);

const isSame = (one, other) => other !== undefined && compare(one, other) === 0;

export class Regions {
  #modules; // returns the modules that have instances
  #keep;
  #marks = new Map(); // name -> {moment: {number, profiles}, problem}
  #markCount = 0;
  #size = 0; // bytes of the profiles of all marks
  #regions = new Map(); // clean name -> {problem, isCounted}

  /**
   * @param {() => object[]} modules
   * @param {(name: string, module: object, ended: Uint8Array, begun?: Uint8Array) => void} keep gets the profiles of an
   *   instance at the end of a measure and at its begin, if the instance was there
   */
  constructor(modules, keep) {
    this.#modules = modules;
    this.#keep = keep;
  }

  /** Follows the marks and measures of the program from now on. */
  patch() {
    replaceFunction(performance, 'mark', (mark) => (...args) => {
      const entry = mark.apply(performance, args);
      this.#mark(entry.name, args[1]?.startTime === undefined);
      return entry;
    });
    replaceFunction(performance, 'measure', (measure) => (...args) => {
      const entry = measure.apply(performance, args);
      this.#measure(clean(entry.name), pointsOf(args[1], args[2]));
      return entry;
    });
    replaceFunction(performance, 'clearMarks', (clearMarks) => (...args) => {
      clearMarks.apply(performance, args);
      for (const name of args[0] === undefined ? [...this.#marks.keys()] : [String(args[0])]) this.#forget(name);
    });
  }

  #forget(name) {
    const { moment } = this.#marks.get(name) ?? {};
    if (moment) this.#size -= moment.size;
    this.#marks.delete(name);
  }

  /** Module -> the profiles of its instances. */
  #takeProfiles() {
    return new Map(this.#modules().map((module) => [module, module.takeFiles()]));
  }

  #mark(name, isNow) {
    this.#forget(name);
    this.#marks.set(name, isNow ? this.#now(name) : AT_TIME);
  }

  /** The present moment of a mark. */
  #now(name) {
    try {
      const profiles = this.#takeProfiles();
      const size = sizeOf(profiles);
      if (this.#size + size > MOST_KEPT * MB) {
        return { problem: `the counts kept for mark '${clean(name)}' and others exceed ${MOST_KEPT} MB; performance.clearMarks frees them` };
      }
      this.#size += size;
      return { moment: { number: ++this.#markCount, profiles, size } };
    } catch (error) {
      return { problem: error.message };
    }
  }

  /** What a mark has; START or AT_TIME for a time. */
  #pointOf(point) {
    if (typeof point === 'number') return point === 0 ? START : AT_TIME;
    return this.#marks.get(String(point)) ?? AT_TIME; // Node's own marks are times
  }

  #measure(name, { start, end, hasDuration }) {
    if (this.#modules().length === 0) return;
    const region = this.#regionOf(name);
    if (!region || region.problem) return;
    const begin = hasDuration ? AT_TIME : this.#pointOf(start ?? 0);
    const until = end === undefined ? NOW : this.#pointOf(end);
    region.problem = begin.problem ?? until.problem ?? orderProblem(begin, until);
    if (!region.problem && until !== START) this.#add(name, region, begin, until);
  }

  /** Undefined if there are too many, which the first of them tells. */
  #regionOf(name) {
    if (!this.#regions.has(name) && this.#regions.size <= MOST_REGIONS) {
      const problem = this.#regions.size === MOST_REGIONS ? `more than ${MOST_REGIONS} names of measures: this is the first of the others` : undefined;
      this.#regions.set(name, { problem, isCounted: false });
    }
    return this.#regions.get(name);
  }

  #add(name, region, { moment: begin }, { moment: end }) {
    try {
      for (const [module, profiles] of end?.profiles ?? this.#takeProfiles()) {
        const before = (begin?.profiles ?? NOTHING).get(module) ?? [];
        profiles.forEach((ended, i) => {
          if (isSame(ended, before[i])) return; // nothing was counted
          this.#keep(name, module, ended, before[i]);
          region.isCounted = true;
        });
      }
    } catch (error) {
      region.problem = error.message;
    }
  }

  /** The measures in which a function of a module may have run, or that cannot be counted: [{name, problem}] */
  list() {
    const all = [...this.#regions].map(([name, region]) => ({ name, ...region }));
    return all.filter(({ problem, isCounted }) => problem || isCounted);
  }
}
