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
import { addUp, difference, encodeProfile } from '../wperf/profile_file.mjs';
import { replaceFunction } from './replace.mjs';

const MOST_REGIONS = 1000; // each becomes a row
const MOST_KEPT = 256; // MB of counts at marks
const MB = 2 ** 20;

const START = { number: 0, size: 0, files: new Map() }; // before anything was counted
const AT_TIME = { size: 0, problem: 'it begins or ends at a time, but counts are only known at a mark' };

const sizeOf = (files) => [...files.values()].flat().reduce((size, { length }) => size + length, 0);
const noName = () => undefined;
const encode = (profile) => encodeProfile(profile, noName);

/** Adds two results of `difference`; the first may be missing. */
function together(before, profile) {
  if (!before) return profile;
  const sum = addUp([encode(before), encode(profile)]);
  sum.facts.instanceCount = profile.facts.instanceCount; // of the same instances
  return sum;
}

/** Where a measure begins and ends, as it was called: names, times, or undefined. */
function pointsOf(startOrOptions, endMark) {
  if (startOrOptions === null || typeof startOrOptions !== 'object') return { start: startOrOptions, end: endMark };
  const { start, end = endMark, duration } = startOrOptions;
  const hasDuration = duration !== undefined && (start ?? end) !== undefined;
  return { start, end, hasDuration };
}

export class Regions {
  #modules; // returns the modules that have instances
  #marks = new Map(); // name -> moment
  #keptSize = 0; // bytes
  #momentCount = 0;
  #regions = new Map(); // clean name -> {problem, profiles: module -> result of difference}

  constructor(modules) {
    this.#modules = modules;
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

  /** Counts until now. */
  #now() {
    try {
      const files = new Map(this.#modules().map((module) => [module, module.takeFiles()]));
      return { number: ++this.#momentCount, size: sizeOf(files), files };
    } catch (error) {
      return { size: 0, problem: error.message };
    }
  }

  #forget(name) {
    this.#keptSize -= this.#marks.get(name)?.size ?? 0;
    this.#marks.delete(name);
  }

  #mark(name, isNow) {
    this.#forget(name);
    const moment = isNow ? this.#now() : AT_TIME;
    const fits = this.#keptSize + moment.size <= MOST_KEPT * MB;
    const problem = `the counts kept for mark '${clean(name)}' and others exceed ${MOST_KEPT} MB; performance.clearMarks frees them`;
    this.#marks.set(name, fits ? moment : { size: 0, problem });
    this.#keptSize += this.#marks.get(name).size;
  }

  /** The moment of a mark; START or AT_TIME for a time. */
  #momentOf(point) {
    if (typeof point === 'number') return point === 0 ? START : AT_TIME;
    return this.#marks.get(String(point)) ?? AT_TIME; // Node's own marks are times
  }

  #measure(name, { start, end, hasDuration }) {
    if (this.#modules().length === 0) return;
    const region = this.#regionOf(name);
    if (!region || region.problem) return;
    const begin = hasDuration ? AT_TIME : this.#momentOf(start ?? 0);
    const until = end === undefined ? this.#now() : this.#momentOf(end);
    const order = begin.number > until.number ? 'it ends before it begins' : undefined;
    region.problem = begin.problem ?? until.problem ?? order;
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

  #add({ profiles }, begin, until) {
    for (const [module, files] of until.files) {
      const profile = difference(files, begin.files.get(module) ?? []);
      const isEmpty = profile.tree.nodeCount === 1;
      if (!isEmpty) profiles.set(module, together(profiles.get(module), profile));
    }
  }

  /** The measures in which a function of a module ran, or that cannot be counted: [{name, problem, profiles}] */
  list() {
    const all = [...this.#regions].map(([name, region]) => ({ name, ...region }));
    return all.filter(({ problem, profiles }) => problem || profiles.size > 0);
  }
}
