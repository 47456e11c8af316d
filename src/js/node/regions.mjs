/**
 * Counts what the modules of a thread do in each measure of the User Timing API, for wasm-perf bench:
 *
 *     performance.mark('start');
 *     parse(text);
 *     performance.measure('parse', 'start'); // what was counted from the mark until here
 *
 * Measures with the same name add up. They may nest and overlap.
 */

import { clean } from '../wperf/clean.mjs';
import { Moments, together } from './moments.mjs';
import { replaceFunction } from './replace.mjs';

const MOST_REGIONS = 1000; // each becomes a row
const MOST_KEPT = 256; // MB of counts at marks
const MB = 2 ** 20;

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

export class Regions {
  #modules; // returns the modules that have instances
  #moments;
  #marks = new Map(); // name -> {moment, problem}
  #regions = new Map(); // clean name -> {problem, profiles: module -> result of difference}

  constructor(modules) {
    this.#modules = modules;
    this.#moments = new Moments(modules);
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
    if (moment) this.#moments.remove(moment);
    this.#marks.delete(name);
  }

  #mark(name, isNow) {
    this.#forget(name);
    this.#marks.set(name, isNow ? this.#now(name) : AT_TIME);
  }

  /** The present moment of a mark. */
  #now(name) {
    try {
      const moment = this.#moments.add(MOST_KEPT * MB);
      if (moment) return { moment };
      return { problem: `the counts kept for mark '${clean(name)}' and others exceed ${MOST_KEPT} MB; performance.clearMarks frees them` };
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
    if (!region.problem) this.#add(region, begin, until);
  }

  /** Undefined if there are too many, which the first of them tells. */
  #regionOf(name) {
    if (!this.#regions.has(name) && this.#regions.size <= MOST_REGIONS) {
      const problem = this.#regions.size === MOST_REGIONS ? `more than ${MOST_REGIONS} names of measures: this is the first of the others` : undefined;
      this.#regions.set(name, { problem, profiles: new Map() });
    }
    return this.#regions.get(name);
  }

  #add(region, begin, until) {
    const { profiles } = region;
    try {
      if (until === START) return;
      for (const [module, profile] of this.#moments.between(begin.moment, until.moment)) {
        const before = profiles.get(module);
        const sum = before ? together(before, profile) : profile;
        sum.facts.instanceCount = profile.facts.instanceCount; // of the same instances
        profiles.set(module, sum);
      }
    } catch (error) {
      region.problem = error.message;
    }
  }

  /** The measures in which a function of a module ran, or that cannot be counted: [{name, problem, profiles}] */
  list() {
    const all = [...this.#regions].map(([name, region]) => ({ name, ...region }));
    return all.filter(({ problem, profiles }) => problem || profiles.size > 0);
  }
}
