// Whether a caller's samples, split between it and what V8 inlined into it by the instructions of both, come nearer to
// V8 that inlines nothing. Calls are those of the sampled run; instructions per call those of another run, counted.
// Prints Markdown; the figures are those of truth.mjs.
//
//     inlining.mjs [PROGRAM...]   default: all of them
import { tool } from '../support/tools.mjs';
import { bulk, inlining, measured } from './measured.mjs';
import { recorded, selfOf } from './recorded.mjs';
import { furthestOff, ROUNDS, sampledByV8, sharesOf } from './v8_samples.mjs';

const SHORT_CALL = 1; // nanoseconds, that each call takes at least which is not inlined
const { NO_INLINING } = await import(tool('js/node/inlining.mjs'));

// ---- The estimate

/** Instructions of a call of each function, on average. */
function costsOf({ functions }) {
  return new Map(functions.filter(({ calls }) => calls > 0).map(({ name, self, calls }) => [name, self / calls]));
}

/** Whether so few samples are no chance where so many are expected. */
function areTooFew(seen, expected) {
  const more = expected - seen - 3;
  return more > 0 && more * more > 4 * seen;
}

/** Which nodes run inside of their parents: of all calls of a function by another, too few samples were seen. */
function findInlined({ functions, nodes }, period) {
  const edges = new Map();
  const edgeOf = (i) => (nodes.parent[i] === null ? '' : `${nodes.function[nodes.parent[i]]} ${nodes.function[i]}`);
  for (let i = 0; i < nodes.parent.length; i++) {
    const edge = edges.get(edgeOf(i)) ?? { calls: 0, self: 0 };
    edge.calls += nodes.calls[i] ?? 0;
    edge.self += nodes.self[i];
    edges.set(edgeOf(i), edge);
  }
  return nodes.parent.map((parent, i) => {
    const { calls, self } = edges.get(edgeOf(i));
    return parent !== null && !functions[nodes.function[i]].host && areTooFew(self / period, (calls * SHORT_CALL) / period);
  });
}

/** {function: self time} where a node and those that run inside of it divide their time by instructions. */
function splitByInstructions(profile, costs, period) {
  const { functions, nodes } = profile;
  const inlined = findInlined(profile, period);
  const pools = []; // by node: the one that they share
  for (let i = 0; i < nodes.parent.length; i++) { // parents come first
    pools[i] = inlined[i] ? pools[nodes.parent[i]] : { time: 0, weight: 0 };
    const { name } = functions[nodes.function[i]];
    pools[i].time += nodes.self[i];
    pools[i].weight += (nodes.calls[i] ?? 0) * (costs.get(name) ?? 0);
  }
  const sums = {};
  for (let i = 0; i < nodes.parent.length; i++) {
    const { name } = functions[nodes.function[i]];
    const { time, weight } = pools[i];
    const own = (nodes.calls[i] ?? 0) * (costs.get(name) ?? 0);
    sums[name] = (sums[name] ?? 0) + (weight > 0 ? (time * own) / weight : nodes.self[i]);
  }
  return { sums, count: inlined.filter(Boolean).length };
}

// ---- The table

const programs = { ...inlining, ...measured, ...bulk };
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(programs);
console.log('| furthest of the top ten off, points | V8 again | V8 as it inlines | sampled | split | nodes inlined |');
console.log('|---|--:|--:|--:|--:|--:|');
for (const name of names) {
  const program = programs[name];
  const reference = sharesOf(sampledByV8(program, `${name}, V8`, [NO_INLINING]));
  const sampled = recorded(program, `${name}.sampled`, ROUNDS, '--clock=sampled');
  const counted = recorded(program, `${name}.counted`, 1, '--clock=instructions');
  const period = 700_000; // nanoseconds, of V8's sampler as record sets it
  const { sums, count } = splitByInstructions(sampled, costsOf(counted), period);
  const columns = [sampledByV8(program, `${name}, V8 again`, [NO_INLINING]), sampledByV8(program, `${name}, inlining`, []), selfOf(sampled), sums];
  const cells = columns.map((values) => furthestOff(reference, sharesOf(values)).toFixed(1));
  console.log(`| ${[name, ...cells, count].join(' | ')} |`);
}
