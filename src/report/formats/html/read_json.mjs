// Reads JSON profiles of other tools: V8, DevTools traces, speedscope, Firefox.
import { DataBuilder } from './builder.mjs';

const NANOSECONDS = { nanoseconds: 1, microseconds: 1e3, milliseconds: 1e6, seconds: 1e9 };

const timeValue = { key: 'self', name: 'time', unit: 'nanoseconds' };
const countValue = (unit) => ({ key: 'self', name: unit, unit });

/** Converts the unit of a speedscope profile to [value, factor]: times become nanoseconds. */
function valueOf(unit) {
  if (unit in NANOSECONDS) return [timeValue, NANOSECONDS[unit]];
  return [countValue(unit === 'bytes' ? 'bytes' : 'samples'), 1];
}

/** Returns a label such as "parse (app.mjs:12)" with its place; WebAssembly functions have no place. */
function frameLabel(builder, { functionName = '', url = '', lineNumber = -1 }) {
  const name = functionName || '(anonymous)';
  if (url === '' || url.startsWith('wasm:')) return builder.label(name.replace(/^wasm-function\[(\d+)\]$/, 'func[$1]'));
  const line = lineNumber >= 0 ? lineNumber + 1 : 0;
  return builder.label(`${name} (${url.slice(url.lastIndexOf('/') + 1)}${line > 0 ? `:${line}` : ''})`, url, line);
}

/** Adds nodes of V8, which contain either their children or their parent. */
function addV8(builder, nodes, weights) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const id of node.children ?? []) byId.get(id).parent = node.id;
  const places = new Map();
  const placeOf = (id) => {
    const chain = [];
    for (; !places.has(id) && byId.has(id); id = byId.get(id).parent) {
      if (chain.length > nodes.length) throw new Error('its stacks have no end');
      chain.push(id);
    }
    let place = places.get(id) ?? 0;
    for (const of of chain.reverse()) {
      const { callFrame } = byId.get(of);
      place = callFrame.functionName === '(root)' ? 0 : builder.child(place, frameLabel(builder, callFrame));
      places.set(of, place);
    }
    return place;
  };
  for (const [id, weight] of weights) {
    const place = placeOf(id);
    if (place > 0) builder.add(place, weight);
  }
}

/** Yields the duration of each sample: until the next one. The last is as long as the previous one. */
function* weightsOf(samples, deltas, end) {
  for (let i = 0; i < samples.length; i++) {
    const next = deltas[i + 1] ?? end ?? deltas[i];
    yield [samples[i], Math.max(0, next) * 1000];
  }
}

function readCpuProfile(profile, title) {
  const builder = new DataBuilder(title, [timeValue]);
  const { nodes, samples, timeDeltas } = profile;
  if (samples !== undefined && timeDeltas !== undefined) addV8(builder, nodes, weightsOf(samples, timeDeltas));
  else addV8(builder, nodes, nodes.map(({ id, hitCount = 0 }) => [id, hitCount * 1e6]));
  return builder.finish();
}

/** Adds events of functions: X has a duration, B and E are begin and end. */
function addEvents(builder, events) {
  const threads = new Map();
  const sorted = events.filter(({ ph }) => ph === 'X' || ph === 'B' || ph === 'E')
    .map((event, i) => ({ ...event, i })).sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0) || a.i - b.i);
  for (const { ph, ts, dur = 0, name, pid, tid } of sorted) {
    const key = `${pid} ${tid}`;
    if (!threads.has(key)) threads.set(key, []);
    const open = threads.get(key);
    const close = () => {
      const { node, begin, end, inner } = open.pop();
      builder.add(node, Math.round((end - begin) * 1000) - inner);
      if (open.length > 0) open.at(-1).inner += Math.round((end - begin) * 1000);
    };
    while (open.length > 0 && open.at(-1).end !== null && open.at(-1).end <= ts) close();
    if (ph === 'E') {
      if (open.length === 0) continue;
      open.at(-1).end = ts;
      close();
    } else {
      const node = builder.child(open.at(-1)?.node ?? 0, builder.label(name));
      open.push({ node, begin: ts, end: ph === 'X' ? ts + dur : null, inner: 0 });
    }
  }
  for (const open of threads.values())
    while (open.length > 0) {
      const { node, begin, end, inner } = open.pop();
      if (end === null) continue;
      builder.add(node, Math.round((end - begin) * 1000) - inner);
      if (open.length > 0) open.at(-1).inner += Math.round((end - begin) * 1000);
    }
}

function readTrace(trace, title) {
  const events = Array.isArray(trace) ? trace : trace.traceEvents;
  const builder = new DataBuilder(title, [timeValue]);
  const profiles = new Map();
  for (const { name, id, pid, args } of events) {
    if (name !== 'ProfileChunk') continue;
    const key = `${pid} ${id}`;
    const profile = profiles.get(key) ?? { nodes: [], samples: [], deltas: [] };
    profiles.set(key, profile);
    const { cpuProfile = {}, timeDeltas = [] } = args.data;
    profile.nodes.push(...(cpuProfile.nodes ?? []));
    for (const sample of cpuProfile.samples ?? []) profile.samples.push(sample);
    for (const delta of timeDeltas) profile.deltas.push(delta);
  }
  for (const { nodes, samples, deltas } of profiles.values()) addV8(builder, nodes, weightsOf(samples, deltas));
  if (profiles.size === 0) addEvents(builder, events);
  return builder.finish();
}

function addSpeedscope(builder, labels, profile, scale) {
  if (profile.type === 'sampled') {
    profile.samples.forEach((stack, i) => {
      const node = stack.reduce((above, frame) => builder.child(above, labels[frame]), 0);
      if (node > 0) builder.add(node, profile.weights[i] * scale);
    });
    return;
  }
  const open = [0];
  let last = profile.startValue ?? 0;
  for (const { type, frame, at } of profile.events) {
    if (open.length > 1) builder.add(open.at(-1), (at - last) * scale);
    last = at;
    if (type === 'O') open.push(builder.child(open.at(-1), labels[frame]));
    else if (open.length > 1) open.pop();
  }
}

/** Reads all profiles of the file with the first one's unit. */
function readSpeedscope({ shared, profiles }, title) {
  const [value, scale] = valueOf(profiles[0].unit);
  const builder = new DataBuilder(title, [value]);
  const labels = shared.frames.map(({ name, file, line }) => builder.label(name, file, line));
  for (const profile of profiles) if (profile.unit === profiles[0].unit) addSpeedscope(builder, labels, profile, scale);
  return builder.finish();
}

/** Returns a column of a Firefox table: an array, or part of rows described by a schema. */
function columnOfTable(table, name) {
  if (Array.isArray(table[name])) return table[name];
  const index = table.schema?.[name];
  return index === undefined ? undefined : table.data.map((row) => row[index]);
}

const NATIVE = '(native code)';

/** What Firefox itself calls a frame: "parse (https://host/app.mjs:12:3)[7]", an address, or a label of its own. */
function locationLabel(builder, location) {
  if (/^0x[\da-f]+$/.test(location)) return builder.label(NATIVE);
  const [, functionName, url, line] = /^(.*?) ?\((.*?):(\d+)(?::\d+)?\)(?:\[\d+\])?$/.exec(location) ?? [];
  return url === undefined ? builder.label(location) : frameLabel(builder, { functionName, url, lineNumber: Number(line) - 1 });
}

function addThread(builder, thread, shared, interval) {
  const strings = thread.stringArray ?? thread.stringTable ?? shared.stringArray;
  const { stackTable = shared.stackTable, frameTable = shared.frameTable, funcTable = shared.funcTable } = thread;
  const frames = columnOfTable(stackTable, 'frame');
  const offsets = columnOfTable(stackTable, 'prefixOffset'); // newer: the difference to the index of the parent stack
  const prefixes = columnOfTable(stackTable, 'prefix') ?? offsets.map((offset, i) => (offset === 0 ? null : i - offset));
  const functions = columnOfTable(frameTable, 'func');
  const names = funcTable === undefined ? columnOfTable(frameTable, 'location') : columnOfTable(funcTable, 'name');
  const native = builder.label(NATIVE);
  const places = new Map();
  const placeOf = (stack) => {
    const chain = [];
    for (; stack !== null && stack !== undefined && !places.has(stack); stack = prefixes[stack]) {
      if (chain.length > prefixes.length) throw new Error('its stacks have no end');
      chain.push(stack);
    }
    let place = places.get(stack) ?? 0;
    for (const of of chain.reverse()) {
      const isOwn = funcTable === undefined;
      const name = strings[names[isOwn ? frames[of] : functions[frames[of]]]];
      const label = isOwn ? locationLabel(builder, name) : builder.label(name);
      const isMore = label === native && builder.labelOfNode[place] === native;
      if (!isMore) place = builder.child(place, label);
      places.set(of, place);
    }
    return place;
  };
  const weights = columnOfTable(thread.samples, 'weight');
  columnOfTable(thread.samples, 'stack').forEach((stack, i) => {
    const place = placeOf(stack);
    if (place > 0) builder.add(place, (weights?.[i] ?? 1) * interval);
  });
}

/** The threads of all processes of a Firefox profile. */
const threadsOf = ({ threads, processes = [] }) => [...threads, ...processes.flatMap(threadsOf)];

/**
 * Reads a Firefox profile, as Firefox writes it or as its viewer saves it. Weights are samples, one interval each, or
 * times in milliseconds. Threads with another type of weight are ignored.
 */
function readFirefox(profile, title) {
  const threads = threadsOf(profile);
  const kind = threads[0]?.samples.weightType;
  const isTime = kind === 'tracing-ms';
  const builder = new DataBuilder(title, [timeValue]);
  const interval = isTime ? 1e6 : (profile.meta.interval ?? 1) * 1e6;
  for (const thread of threads) if (thread.samples.weightType === kind) addThread(builder, thread, profile.shared ?? {}, interval);
  return builder.finish();
}

/** Recognises the format of a JSON profile and reads it. */
export function readJson(json, title) {
  if (Array.isArray(json) || Array.isArray(json.traceEvents)) return readTrace(json, title);
  if (Array.isArray(json.nodes)) return readCpuProfile(json, title);
  if (Array.isArray(json.profiles) && json.shared !== undefined) return readSpeedscope(json, title);
  if (Array.isArray(json.threads) && json.meta !== undefined) return readFirefox(json, title);
  throw new Error('this JSON is not a profile of V8, DevTools, speedscope or Firefox');
}
