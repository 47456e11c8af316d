/**
 * What the readers have in common: JSON without rounding, sums per function, the lines that
 * readers_test.py asks for.
 */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { packageFile } from '../../support/tools.mjs';

const LARGEST = 2n ** 64n - 1n;

const NOT_INSTALLED = 77;

/** The folder of an npm package. Where it is not installed, that is said and the reader ends. */
export function packageFolder(name) {
  const folder = packageFile(name);
  if (existsSync(folder)) return folder;
  console.error(`the npm package ${name} is not installed`);
  process.exit(NOT_INSTALLED);
}

const load = createRequire(import.meta.url);

/** The file that the reader was asked to read. */
export const file = process.argv[2];
export const text = readFileSync(file, 'utf8');

/** The file's JSON; each number is the text that stands for it, as {number}. */
export function parseExactly() {
  return JSON.parse(text, (key, value, context) =>
    typeof value === 'number' ? { number: context.source } : value,
  );
}

/** A number of parseExactly times 10^decimals, which has to be a whole number. */
export function scaled({ number }, decimals = 0) {
  const parts = /^(0|[1-9]\d*)(?:\.(\d*[1-9]))?$/.exec(number);
  assert(parts, `${number} is not in its shortest form`);
  const fraction = parts[2] ?? '';
  assert(fraction.length <= decimals, `${number} has more than ${decimals} decimals`);
  return BigInt(parts[1] + fraction.padEnd(decimals, '0'));
}

/** A number of parseExactly that counts something in the file or points into it. */
export function index({ number }, end = Infinity) {
  const value = Number(number);
  assert(Number.isSafeInteger(value) && value < end, `${number} points nowhere`);
  return value;
}

/** Asserts that the file is what `schema` says. */
export function validate(schema, data = JSON.parse(text)) {
  const Ajv = load(packageFolder('ajv')).default;
  const check = new Ajv({ strict: false, allErrors: false }).compile(schema);
  assert(check(data), JSON.stringify(check.errors));
}

/**
 * Of a tree whose nodes follow their parents: {name: {self, total, calls}}. `parents` has -1 for
 * outermost frames; without `calls` nobody knows them.
 */
export function sumTree(parents, names, selves, calls) {
  const totals = [...selves];
  const children = parents.map(() => []);
  for (let i = parents.length - 1; i >= 0; i--) {
    assert(parents[i] < i, `node ${i} comes before its parent`);
    if (parents[i] >= 0) {
      totals[parents[i]] += totals[i];
      children[parents[i]].push(i);
    }
  }
  const functions = new Map();
  const enter = (node) => {
    const sums = functions.get(names[node]) ?? { self: 0n, total: 0n, calls: calls && 0n, open: 0 };
    functions.set(names[node], sums);
    sums.self += selves[node];
    sums.total += sums.open++ === 0 ? totals[node] : 0n;
    if (calls) sums.calls += calls[node];
  };
  for (let root = 0; root < parents.length; root++) {
    if (parents[root] >= 0) continue;
    const stack = [root];
    enter(root);
    while (stack.length > 0) {
      const next = children[stack.at(-1)].pop();
      if (next === undefined) functions.get(names[stack.pop()]).open--;
      else {
        stack.push(next);
        enter(next);
      }
    }
  }
  return functions;
}

/** Asserts that two arrays are equal; deepEqual takes minutes to show how long ones differ. */
export function assertColumn(found, expected, what) {
  assert.equal(found.length, expected.length, `length of ${what}`);
  found.forEach((value, i) => assert.equal(value, expected[i], `${what} of ${i}`));
}

/** A tree made of frames that open and close at positions; refuses what does not nest. */
export class Spans {
  parents = [];
  names = [];
  selves = [];
  calls = [];
  stack = [];
  position = 0n;

  #advance(position) {
    assert(position >= this.position, `${position} comes after ${this.position}`);
    if (this.stack.length > 0) this.selves[this.stack.at(-1)] += position - this.position;
    else assert.equal(position, this.position, 'no frame is open for a while');
    this.position = position;
  }

  open(name, position, calls) {
    this.#advance(position);
    this.parents.push(this.stack.at(-1) ?? -1);
    this.stack.push(this.names.push(name) - 1);
    this.selves.push(0n);
    this.calls.push(calls);
  }

  close(name, position) {
    this.#advance(position);
    assert.equal(this.names[this.stack.pop()], name, 'another frame is open');
  }

  /** {name: {self, total, calls}} */
  sum(end = this.position) {
    assert.equal(this.stack.length, 0, 'frames are open at the end');
    assert.equal(end, this.position, 'the last frame does not close at the end');
    return sumTree(this.parents, this.names, this.selves, this.calls[0] === undefined ? undefined : this.calls);
  }
}

const clamp = (value) => (value > LARGEST ? LARGEST : value);

/** Prints what was read, as readers_test.py says. */
export function print(functions) {
  const lines = [...functions].map(([name, { self, total, calls }]) =>
    [clamp(self), clamp(total), calls === undefined ? '-' : clamp(calls), name].join(' '),
  );
  process.stdout.write(lines.map((line) => line + '\n').join(''));
}

/** Asserts that `others`, {name: {self, total?}} in numbers that round, are the same functions. */
export function compareRounded(functions, others, decimals = 0) {
  const rounded = (value) => BigInt(Math.round(value * 10 ** decimals));
  assertColumn([...others.keys()].sort(), [...functions.keys()].sort(), 'name');
  for (const [name, { self, total }] of others) {
    assert.equal(rounded(self), functions.get(name).self, `self of ${name}`);
    if (total !== undefined) assert.equal(rounded(total), functions.get(name).total, `total of ${name}`);
  }
}

/** Whether sums of doubles, rounded at the end, are exact. */
export function fitsDoubles(functions) {
  return [...functions.values()].every(({ total }) => total < 2n ** 50n);
}
