/** wasm-perf symbols on two versions of a program: functions whose code is that of a neighbour get no wrong name. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { nameAfter } from '../matching/check_versions.mjs';
import { versions } from '../matching/versions.mjs';
import { temporaryFolder } from '../support/tools.mjs';

const missing = ['clang', 'wasm-ld'].find((command) => spawnSync(command, ['--version']).error);
const options = { skip: missing && `no ${missing}` };
const folder = temporaryFolder();

const fields = ['age', 'size', 'rank', 'score'];
const others = Array.from({ length: 12 }, (_, i) => `work${i}`);

/** A program with a struct of `all` fields; `called` ones have an accessor, which only `total` calls, in order. */
const program = (all, called) => `
struct user { int ${all.join(', ')}; };
#define APART __attribute__((noinline))
${called.map((name) => `APART int get_${name}(struct user *u) { return u->${name}; }`).join('\n')}
${others.map((name, i) => `APART int ${name}(int n) { int s = ${i}; for (int k = 0; k < n; k++) s = (s * ${99991 + 7919 * i}) ^ (s >> ${i + 1}); return s; }`).join('\n')}
APART int total(struct user *u) { return ${called.map((name, i) => `get_${name}(u) * ${i + 3}`).join(' + ')}; }
__attribute__((export_name("run"))) int run(struct user *u) { return total(u) + ${others.map((name) => `${name}(u->${all.at(-1)})`).join(' + ')}; }`;

test('a field added in front of a struct: the accessors keep their names, because only their offsets changed', options, () => {
  const { functions, named, wrong } = nameAfter(folder, 'unused', { first: program(fields, fields), second: program(['id', ...fields], fields) });
  assert.deepEqual(wrong, []);
  assert.equal(named, functions);
});

test('a field added with an accessor: no accessor gets the name of its neighbour', options, () => {
  const all = ['id', ...fields];
  const { functions, named, wrong } = nameAfter(folder, 'used', { first: program(fields, fields), second: program(all, all) });
  assert.deepEqual(wrong, []);
  assert(functions - named <= all.length, `${named} of ${functions}`);
});

test('15 generated pairs of versions: no name is wrong, and three of four functions have one', options, () => {
  let functions = 0, named = 0;
  for (let seed = 1; seed <= 15; seed++) {
    const found = nameAfter(folder, `seed ${seed}`, versions(seed));
    assert.deepEqual(found.wrong, [], `seed ${seed}`);
    functions += found.functions;
    named += found.named;
  }
  assert(named > 0.75 * functions, `${named} of ${functions}`);
});
