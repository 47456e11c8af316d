// How near a recorded program comes to what V8's own profiler says of the program as it is, JavaScript, WebAssembly and
// the rest together. For each script: by how many points the furthest of its ten largest functions is off, beside how
// far two runs of --cpu-prof are from each other; and what share of the run the sum of all kinds is, of a single thread.
//
//     whole.mjs SCRIPT...
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { readProfile } from '../js/wperf.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';

const TOP = 10;
const temporary = temporaryFolder();
const run = (command, args) => execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });

/** What a function is called on both sides; V8 names those of modules as their name section does, or by number. */
function keyOf(name, url, line) {
  const bare = (name || '(anonymous)').replace(/ \S+:\d+:\d+$/, '').replace(/^wasm-function\[(\d+)\]$/, 'func[$1]');
  return url === '' || url.startsWith('wasm:') ? bare : `${bare} ${basename(url)}:${line}`;
}

/** {function: ms} of the script as it is; a sample lasts until the next one, as DevTools has it. */
function sampledByV8(script, round) {
  const folder = join(temporary, `${basename(script)}.${round}`);
  mkdirSync(folder);
  run(process.execPath, ['--cpu-prof', '--cpu-prof-interval=700', `--cpu-prof-dir=${folder}`, script]);
  const sums = {};
  for (const file of readdirSync(folder)) {
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
    samples.forEach((id, i) => {
      const { functionName, url, lineNumber } = frames.get(id);
      const key = keyOf(functionName, url, Math.max(lineNumber, 0) + 1);
      sums[key] = (sums[key] ?? 0) + (timeDeltas[i + 1] ?? 0) / 1000;
    });
  }
  return sums;
}

/** The same of a recorded run: {sums, kinds: ms of all nodes, ran: ms of the run}. */
function recorded(script) {
  const output = join(temporary, `${basename(script)}.wperf`);
  run(tool('wasm-perf'), ['record', '-o', output, '--', process.execPath, script]);
  const { header, nodes, names, places } = readProfile(readFileSync(output));
  const sums = {};
  let kinds = 0;
  for (const { function: index, self } of nodes.slice(1)) {
    const { file = '', line = 0 } = places.get(index) ?? {};
    const key = keyOf(names.get(index) ?? '', file.startsWith('file:') || file.startsWith('node:') ? file : '', line);
    sums[key] = (sums[key] ?? 0) + Number(self) / 1e6;
    kinds += Number(self) / 1e6;
  }
  return { sums, kinds, ran: Number(header.runTime) / 1e6 };
}

/** What does not work is left out: the runs wait differently long. */
function sharesOf(sums) {
  const busy = Object.entries(sums).filter(([name]) => !['(idle)', '(program)', '(root)'].includes(name));
  const whole = busy.reduce((sum, [, ms]) => sum + ms, 0);
  return Object.fromEntries(busy.map(([name, ms]) => [name, (100 * ms) / whole]));
}

function furthestOff(reference, shares) {
  const top = Object.entries(reference).sort(([, a], [, b]) => b - a).slice(0, TOP);
  const [off, name] = top.map(([name, share]) => [Math.abs(share - (shares[name] ?? 0)), name]).sort(([a], [b]) => b - a)[0];
  return `${off.toFixed(1)} (${name})`;
}

console.log('| program | recorded, points off | --cpu-prof again | kinds of the run |\n|---|--:|--:|--:|');
for (const script of process.argv.slice(2)) {
  const [reference, again] = [1, 2].map((round) => sharesOf(sampledByV8(script, round)));
  const { sums, kinds, ran } = recorded(script);
  const columns = [furthestOff(reference, sharesOf(sums)), furthestOff(reference, again), `${((100 * kinds) / ran).toFixed(1)} %`];
  console.log(`| ${basename(script)} | ${columns.join(' | ')} |`);
}
