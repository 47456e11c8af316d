// Runs an instrumented module in the page; shows its profile and offers it as a file.
import { drawBars } from './bars.mjs';
import { createProfiler } from './js/engine/profiler.mjs';

const element = (id) => document.getElementById(id);

async function bytesOf(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

const [runtime, module] = await Promise.all([
  bytesOf('wasm_perf.wasm'),
  bytesOf('queens.prof.wasm'),
]);
const profiler = await createProfiler({ runtime, module });
const { instance } = await WebAssembly.instantiate(module, { wasm_perf: profiler.imports });
const queens = profiler.wrapExports(instance.exports);

function offer(profile) {
  const link = element('download');
  URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([profile]));
  link.download = 'queens.wperf';
  link.hidden = false;
}

const form = document.querySelector('form');
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const size = Number(element('size').value);
  profiler.reset(); // each profile is of one run
  element('answer').textContent = `${queens.count_solutions(size)} solutions.`;
  const profile = profiler.profile();
  drawBars(profile, element('bars'));
  offer(profile);
});
form.querySelector('button').disabled = false;
