/** Compares modules in this V8: {seed, partial, modules: [{index, file, instrumented}]} -> verdicts. */
import { readFileSync } from 'node:fs';
import { serve } from '../spec/pool.mjs';
import { compareTraces } from './compare.mjs';
import { trace } from './trace.mjs';

serve(({ seed, modules, partial }) =>
  modules.map(({ index, file, instrumented }) => {
    const before = trace(readFileSync(file), [seed, index], partial);
    const after = trace(readFileSync(instrumented), [seed, index], partial);
    const observations = before.lines?.length ?? 0;
    return { index, ...compareTraces(before, after), observations, events: after.events ?? 0 };
  }),
);
