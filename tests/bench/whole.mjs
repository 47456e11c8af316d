// How near a recorded program comes to what V8's own profiler says of the program as it is, JavaScript, WebAssembly and
// the rest together. For each script: by how many points the furthest of its ten largest functions is off, beside how
// far other runs of --cpu-prof are from the first. V8 charges what it inlines to the caller, and hooks make functions too
// large to be inlined: so V8 is asked both ways, and the nearer counts. And what share of the run the sum of all kinds is,
// of a single thread.
//
//     whole.mjs FOLDER [PROGRAM...]   of tests/packages; FOLDER has their packages in node_modules
import { LONG_PROGRAMS, recorded, sampledByV8, scriptOf, sharesOf, timesOf, useFolder } from './v8_shares.mjs';

const TOP = 10;
const ROUNDS = Number(process.env.WI_ROUNDS ?? 3);
const [folder, ...wanted] = process.argv.slice(2);

/** By how much the furthest of the reference's largest functions is off, from the nearer of that and others. */
function furthestOff(shares, reference, ...others) {
  const top = Object.entries(reference).sort(([, a], [, b]) => b - a).slice(0, TOP);
  const offOf = (name) => Math.min(...[reference, ...others].map((shown) => Math.abs((shown[name] ?? 0) - (shares[name] ?? 0))));
  const [off, name] = top.map(([name]) => [offOf(name), name]).sort(([a], [b]) => b - a)[0];
  return `${off.toFixed(1)} (${name})`;
}

useFolder(folder);
console.log(`Means of ${ROUNDS} runs\n\n| program | recorded, points off | from V8 as it inlines | from V8 with nothing inlined | --cpu-prof again | kinds of the run |\n|---|--:|--:|--:|--:|--:|`);
for (const program of wanted.length > 0 ? wanted : LONG_PROGRAMS) {
  const script = scriptOf(program);
  const times = timesOf(program);
  const runs = { ours: [], v8: [], again: [], uninlined: [] };
  let share;
  for (let i = 0; i < ROUNDS; i++) { // in turn
    const { sums, names, all, ran } = recorded(script, times);
    share = ran > 0 ? `${((100 * all) / ran).toFixed(1)} %` : '';
    runs.ours.push(sums);
    for (const form of ['v8', 'again', 'uninlined'])
      runs[form].push(sampledByV8(script, times, names, form === 'uninlined' ? ['--no-wasm-inlining'] : []));
  }
  const { ours, v8, again, uninlined } = Object.fromEntries(Object.entries(runs).map(([form, list]) => [form, sharesOf(list)]));
  console.log(`| ${program} | ${furthestOff(ours, v8, uninlined)} | ${furthestOff(ours, v8)} | ${furthestOff(ours, uninlined)} | ${furthestOff(again, v8)} | ${share} |`);
}
