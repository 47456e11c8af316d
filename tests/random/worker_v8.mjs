/**
 * Compares modules in this V8: {seed, partial, comparesSelf, modules: [{index, file, instrumented,
 * linked: beside an embedded form, isSingle: it has the profile in the program's memory}]} -> verdicts.
 */
import { readFileSync } from 'node:fs';
import { serve } from '../spec/pool.mjs';
import { compareForms, compareTraces } from './compare.mjs';
import { trace } from './trace.mjs';

serve(({ seed, modules, partial, comparesSelf }) =>
  modules.map(({ index, file, instrumented, linked, isSingle }) => {
    const run = (path, sizes) => trace(readFileSync(path), [seed, index], partial, sizes);
    const before = run(file);
    const after = run(instrumented, isSingle ? before.sizes : undefined);
    const result = compareTraces(before, after, isSingle);
    const observations = before.lines?.length ?? 0;
    if (!linked || result.verdict !== 'same')
      return { index, ...result, observations, events: after.events ?? 0 };
    const other = run(linked);
    const verdict = compareForms(other, after, { comparesSelf });
    return { index, ...verdict, observations, events: other.events };
  }),
);
