/** Sets what the original did beside what the instrumented module did. */

const overflowed = (line) => /: exhausted/.test(line);

/**
 * {verdict: "same" | "different" | "rejected" | "overflow", detail?}. Frames of instrumented code
 * take more room, so nothing is compared from the first stack overflow on.
 */
export function compareTraces(original, instrumented) {
  if (original.rejected) return { verdict: 'rejected', detail: original.rejected };
  if (instrumented.rejected)
    return {
      verdict: 'different',
      detail: `the engine rejects the output: ${instrumented.rejected}`,
    };
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
