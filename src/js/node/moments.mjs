/**
 * Counts at moments of a thread, from which those between two moments are found. A moment has only what was counted
 * since the one before; the counts of the last one are kept whole.
 */

import { addUp, countInstances, difference, encodeProfile } from '../wperf/profile_file.mjs';

const NOTHING = new Map();
const noName = () => undefined;
const encode = (profile) => encodeProfile(profile, noName);
const isEmpty = ({ tree }) => tree.nodeCount === 1;
const sizeOf = (parts) => [...parts.values()].reduce((size, { length }) => size + length, 0);

/** Adds up two results of `difference`. */
export const together = (...profiles) => addUp(profiles.map(encode));

/** Adds up the parts of two moments: maps of modules to encoded results of `difference`. */
function joined(before, parts) {
  const sum = new Map(before);
  for (const [module, part] of parts) sum.set(module, sum.has(module) ? encode(addUp([sum.get(module), part])) : part);
  return sum;
}

export class Moments {
  size = 0; // bytes of all parts
  #modules; // returns the modules that have instances
  #first; // moment: {number, parts, previous, next, isRemoved}
  #last;
  #lastFiles = NOTHING; // module -> files
  #count = 0;

  constructor(modules) {
    this.#modules = modules;
  }

  #takeFiles() {
    return new Map(this.#modules().map((module) => [module, module.takeFiles()]));
  }

  /** What was counted since the last moment. */
  #since(files) {
    const profiles = [...files].map(([module, own]) => [module, difference(own, this.#lastFiles.get(module) ?? [])]);
    return new Map(profiles.filter(([, profile]) => !isEmpty(profile)));
  }

  /**
   * Returns the present moment, whose `number` is larger than any before. undefined: with it, `size` would exceed the
   * limit. Throws if a module cannot be read.
   */
  add(limit) {
    const files = this.#takeFiles();
    const isAlone = !this.#last || (this.#last === this.#first && this.#last.isRemoved);
    const parts = isAlone ? NOTHING : new Map([...this.#since(files)].map(([module, profile]) => [module, encode(profile)]));
    if (this.size + sizeOf(parts) > limit) return undefined;
    const moment = { number: ++this.#count, parts: NOTHING, previous: isAlone ? undefined : this.#last };
    this.#setParts(moment, parts);
    if (isAlone) this.#first = moment;
    else this.#last.next = moment;
    if (moment.previous?.isRemoved) this.#unlink(moment.previous);
    this.#last = moment;
    this.#lastFiles = files;
    return moment;
  }

  /** Frees what only this moment needs. */
  remove(moment) {
    moment.isRemoved = true;
    if (moment.next) this.#unlink(moment); // the last one is needed for what follows
  }

  #setParts(moment, parts) {
    this.size += sizeOf(parts) - sizeOf(moment.parts);
    moment.parts = parts;
  }

  #unlink({ previous, next, parts }) {
    next.previous = previous;
    if (previous) previous.next = next;
    else this.#first = next;
    this.size -= sizeOf(parts);
    this.#setParts(next, previous ? joined(parts, next.parts) : NOTHING); // of the first, nothing is asked
  }

  /**
   * Returns what was counted between two moments: module -> result of `difference`, without those that counted
   * nothing.
   *
   * @param {object} [begin] the start of the program if it is undefined
   * @param {object} [end] now if it is undefined
   */
  between(begin, end) {
    const files = end ? this.#lastFiles : this.#takeFiles();
    const counted = new Map();
    for (const [module, own] of files) {
      const profile = begin ? this.#fromMoment(begin, end, module, own) : difference(own, this.#partsAfter(end, module));
      if (!profile || isEmpty(profile)) continue;
      profile.facts.instanceCount = countInstances(own);
      counted.set(module, profile);
    }
    return counted;
  }

  #fromMoment(begin, end, module, files) {
    const parts = this.#partsAfter(begin, module, end);
    const rest = end ? undefined : difference(files, this.#lastFiles.get(module) ?? []);
    if (parts.length === 0) return rest;
    return addUp(rest && !isEmpty(rest) ? [...parts, encode(rest)] : parts);
  }

  /** The module's parts of the moments after one until another, or the last one. */
  #partsAfter(moment, module, end) {
    const parts = [];
    while (moment && moment !== end && (moment = moment.next)) if (moment.parts.has(module)) parts.push(moment.parts.get(module));
    return parts;
  }
}
