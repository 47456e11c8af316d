/** Sets the outcomes of the original beside those of the instrumented module. */
import { allowsNan, matches } from './values.mjs';

const isReturn = (command) => command.expected !== undefined;
const tokens = (outcome) => (outcome === '' ? [] : outcome.split(' '));

function asExpected(command, outcome) {
  const shown = tokens(outcome);
  return (
    shown.length === command.expected.length &&
    command.expected.every((expected, i) => matches(shown[i], expected))
  );
}

/** Whether the engine does with the original what the specification wants. */
function conforms(command, outcome) {
  const starts = (...prefixes) => prefixes.some((prefix) => outcome.startsWith(prefix));
  switch (command.type) {
    case 'module':
    case 'module_instance':
      return outcome === 'instantiated';
    case 'module_definition':
      return outcome === 'accepted';
    case 'assert_return':
      return asExpected(command, outcome);
    case 'assert_trap':
      return starts('trap');
    case 'assert_exhaustion':
      return starts('exhausted');
    case 'assert_exception':
      return starts('exception');
    case 'assert_invalid':
    case 'assert_malformed':
      return starts('rejected');
    case 'assert_unlinkable':
      return starts('unlinkable', 'TypeError');
    case 'assert_uninstantiable':
      return starts('trap');
    default:
      return true;
  }
}

/** The bits of a NaN may differ where the script leaves them open, and nowhere else. */
function isSame(command, original, instrumented) {
  if (original === instrumented) return true;
  return (
    isReturn(command) &&
    allowsNan(command.expected) &&
    asExpected(command, original) &&
    asExpected(command, instrumented)
  );
}

/** A module that the engine itself cannot run is no fault of the rewriter. */
function skipReason(command, original) {
  if (original.skip) return original.skip;
  const mustRun = ['module', 'module_definition', 'module_instance'].includes(command.type);
  return mustRun && !conforms(command, original.outcome) ? original.outcome : null;
}

/** {verdict: "same" | "different" | "skipped", detail?, deviates?} */
function judge(command, rewrite, original, instrumented) {
  const different = (detail) => ({ verdict: 'different', detail });
  if (rewrite?.crashed) return different(`wasm-instrument: ${rewrite.crashed}`);
  const reason = skipReason(command, original);
  if (reason) return { verdict: 'skipped', detail: reason };
  const deviates = conforms(command, original.outcome) ? null : original.outcome;
  if (original.outcome.startsWith('rejected')) return { verdict: 'same', deviates };
  const got = instrumented.skip ?? instrumented.outcome;
  if (instrumented.skip || !isSame(command, original.outcome, got))
    return different(
      `original: ${original.outcome || 'returns'}; instrumented: ${got || 'returns'}`,
    );
  if (instrumented.fault) return different(`hooks: ${instrumented.fault}`);
  return { verdict: 'same', deviates };
}

/** The verdicts of one file: [{line, verdict, …}]; one that killed its engine is one difference. */
export function compareScript({ commands, rewrites }, original, instrumented) {
  for (const [variant, { died }] of Object.entries({ original, instrumented }))
    if (died) return [{ line: 1, verdict: 'different', detail: `the engine, ${variant}: ${died}` }];
  return commands
    .map((command, i) => ({
      command,
      original: original.outcomes[i],
      instrumented: instrumented.outcomes[i],
    }))
    .filter(({ command }) => command.type !== 'register')
    .map(({ command, original, instrumented }) => ({
      line: command.line,
      ...judge(command, rewrites[command.filename], original, instrumented),
    }));
}
