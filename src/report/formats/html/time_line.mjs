// Samples in order of time: costs of functions in a range, and a flame chart, with frames at their times.
import { Tree } from './tree.mjs';

export const NS_PER_US = 1000;
const MOST_STEPS = 40_000; // resolution of a chart; spans are shown exactly only in ranges with fewer spans
const MOST_FRAMES = 2_000_000;

/** Returns the first index in sorted numbers of one greater than `value`. */
function firstPast(numbers, value) {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (numbers[middle] > value) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Calls visit(node, begin, end) for each span of a thread in the range, cut to it, in microseconds. */
export function visitStretches({ edges, nodes }, [from, to], visit) {
  for (let i = Math.max(0, firstPast(edges, from) - 1); i < nodes.length && edges[i] < to; i++)
    visit(nodes[i], Math.max(edges[i], from), Math.min(edges[i + 1], to));
}

/** [begin, end] of all threads, in microseconds. */
export const wholeRange = ({ threads }) =>
  [Math.min(...threads.map(({ edges }) => edges[0])), Math.max(...threads.map(({ edges }) => edges.at(-1)))];

/** When a function was first seen on a stack, in microseconds; Infinity: never. */
export function firstSampleOf({ threads, parent, label, count }, wanted) {
  const isIn = new Uint8Array(count);
  for (let i = 1; i < count; i++) isIn[i] = label[i] === wanted ? 1 : isIn[parent[i]];
  const firstIn = ({ edges, nodes }) => edges[nodes.findIndex((node) => isIn[node] === 1)] ?? Infinity;
  return Math.min(...threads.map(firstIn));
}

/** Returns each node's time in a range, in nanoseconds. */
export function columnInRange({ threads, count }, range) {
  const column = new Float64Array(count);
  for (const thread of threads) visitStretches(thread, range, (node, begin, end) => { column[node] += (end - begin) * NS_PER_US; });
  column[0] = 0;
  return column;
}

function depthsOf({ parent, count }) {
  const depths = new Int32Array(count);
  for (let i = 1; i < count; i++) depths[i] = depths[parent[i]] + 1;
  return depths;
}

/** Builds frames from the spans of a thread: one frame for as long as a function is on the stack. */
class ChartBuilder {
  constructor(data) {
    this.data = data;
    this.depths = depthsOf(data);
    this.open = []; // {frame, node}, outermost first
    this.frames = { parent: [0], label: [-1], self: [0], start: [0], total: [0] };
    this.now = -1;
  }

  add(node, begin, end) {
    if (begin > this.now) this.close(0);
    const added = [];
    for (; node > 0 && this.open[this.depths[node] - 1]?.node !== node; node = this.data.parent[node]) added.push(node);
    this.close(node === 0 ? 0 : this.depths[node]);
    for (const other of added.reverse()) this.push(other, begin);
    this.now = end;
    const innermost = this.open.at(-1)?.frame ?? 0;
    this.frames.self[innermost] += (end - begin) * NS_PER_US;
  }

  push(node, begin) {
    const { parent, label, self, start, total } = this.frames;
    const frame = parent.push(this.open.at(-1)?.frame ?? 0) - 1;
    label.push(this.data.label[node]);
    self.push(0);
    start.push(begin * NS_PER_US);
    total.push(0);
    this.open.push({ frame, node });
  }

  close(depth) {
    while (this.open.length > depth) {
      const { frame } = this.open.pop();
      this.frames.total[frame] = this.now * NS_PER_US - this.frames.start[frame];
    }
  }
}

/** A flame chart for the graph: like a tree, but siblings are in order of time, with gaps. */
class Chart extends Tree {
  constructor({ parent, label, self, start, total }) {
    const calls = new Float64Array(parent.length).fill(NaN);
    super(Int32Array.from(parent), Int32Array.from(label), Float64Array.from(self), calls, null);
    this.start = Float64Array.from(start);
    this.total = Float64Array.from(total);
  }
}

function buildChart(data, thread, range, mostSteps) {
  const builder = new ChartBuilder(data);
  const step = (range[1] - range[0]) / mostSteps;
  let stretchCount = 0;
  visitStretches(thread, range, () => stretchCount++);
  const isFine = stretchCount <= mostSteps;
  visitStretches(thread, range, (node, begin, end) => {
    if (builder.frames.parent.length > MOST_FRAMES) return;
    if (!isFine) [begin, end] = [begin, end].map((at) => range[0] + Math.round((at - range[0]) / step) * step);
    if (end > begin) builder.add(node, begin - range[0], end - range[0]); // the graph begins at 0
  });
  builder.close(0);
  builder.frames.total[0] = (range[1] - range[0]) * NS_PER_US;
  return builder.frames;
}

/** Makes the chart of a thread in a range. Omits short frames if there are too many for a graph. */
export function makeChart(data, thread, range) {
  for (let mostSteps = MOST_STEPS; ; mostSteps /= 4) {
    const frames = buildChart(data, thread, range, mostSteps);
    if (frames.parent.length <= MOST_FRAMES || mostSteps < 10) return new Chart(frames);
  }
}
