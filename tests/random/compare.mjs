/** Sets what the original did beside what the instrumented module did. */
import { findDifference } from '../spec/trees.mjs';

/** Pages of a memory at most, as main.mjs tells the engine. */
export const MAX_PAGES = 1024;

const overflowed = (line) => /: exhausted/.test(line);

/**
 * {verdict: "same" | "different" | "rejected" | "overflow", detail?}. Frames of instrumented code
 * take more room, so nothing is compared from the first stack overflow on; with a single memory
 * (`isSingle`), nothing where the original has most of the memory there is.
 */
export function compareTraces(original, instrumented, isSingle) {
  if (original.rejected) return { verdict: 'rejected', detail: original.rejected };
  if (instrumented.rejected)
    return {
      verdict: 'different',
      detail: `the engine rejects the output: ${instrumented.rejected}`,
    };
  if (isSingle && Math.max(...original.sizes) > (MAX_PAGES * 65536) / 2) return { verdict: 'overflow' };
  const count = Math.max(original.lines.length, instrumented.lines.length);
  for (let i = 0; i < count; i++) {
    const [before, after] = [original.lines[i] ?? 'nothing', instrumented.lines[i] ?? 'nothing'];
    if (overflowed(before) || overflowed(after)) return { verdict: 'overflow' };
    if (before !== after)
      return { verdict: 'different', detail: `original: ${before}; instrumented: ${after}` };
  }
  const [fault] = instrumented.faults;
  return fault ? { verdict: 'different', detail: `hooks: ${fault}` } : { verdict: 'same' };
}

/** The verdict on the embedded form, whose trees are those of the linked form of the same module. */
export function compareForms(linked, embedded, options) {
  const [fault] = linked.faults ?? [linked.rejected];
  if (fault) return { verdict: 'different', detail: `linked: ${fault}` };
  const overflow = [...linked.lines, ...embedded.lines].some(overflowed);
  if (overflow) return { verdict: 'overflow' };
  for (const [i, tree] of linked.trees.entries()) {
    const difference = findDifference(tree, embedded.trees[i], options);
    if (difference) return { verdict: 'different', detail: `tree ${i}: ${difference}` };
  }
  return { verdict: 'same' };
}
