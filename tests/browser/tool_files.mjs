// Files of other tools, made by them, and what those tools have in them: [self, total, name] of each function.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { writeProfile } from '../js/wperf.mjs';
import { askProfiler } from '../report/readers/profiler_cli.mjs';
import { packageFile } from '../support/tools.mjs';
import { browser as chromium, folder } from './support.mjs';

export const path = (name) => join(folder, name);
export const ofFirefox = { ...process.env, HOME: folder };

const run = (program, args, options = {}) => execFileSync(program, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'], ...options });
const isHere = (program, ...args) => spawnSync(program, args, { cwd: folder, stdio: 'ignore' }).status === 0;

/** JavaScript that works for so many milliseconds in spin_in_test. */
const work = (time) => `
  function spin_in_test() {
    let sum = 0;
    for (let i = 0; i < 1e5; i++) sum += Math.sqrt(i);
    return sum;
  }
  const end = performance.now() + ${time};
  while (performance.now() < end) globalThis.sum = spin_in_test();`;

async function traceWork(time) {
  const page = await chromium.newPage();
  await page.tracing.start({ path: path('trace.json'), categories: ['disabled-by-default-v8.cpu_profiler', 'v8.execute'] });
  await page.evaluate(work(time));
  await page.tracing.stop();
  await page.close();
}

/** Lets Firefox profile itself while it takes a picture of a page. It writes the profile when it ends, by itself. */
function profileFirefox(file) {
  writeFileSync(path('work.html'), `<script>${work(1500)}</script>`);
  mkdirSync(path('firefox'));
  const picture = ['--screenshot', path('work.png'), pathToFileURL(path('work.html')).href];
  const env = {
    ...ofFirefox, MOZ_PROFILER_STARTUP: '1', MOZ_PROFILER_STARTUP_FEATURES: 'js,stackwalk', MOZ_PROFILER_STARTUP_FILTERS: 'GeckoMain',
    MOZ_PROFILER_SHUTDOWN: file,
  };
  execFileSync(process.env.WI_FIREFOX, ['--headless', '--no-remote', '--profile', path('firefox'), ...picture], { env });
}

const go = `package main

import (
	"math"
	"os"
	"runtime/pprof"
	"time"
)

//go:noinline
func spin_in_test() (sum float64) {
	for i := 0; i < 100000; i++ {
		sum += math.Sqrt(float64(i))
	}
	return
}

func main() {
	file, _ := os.Create(os.Args[1])
	pprof.StartCPUProfile(file)
	for end := time.Now().Add(time.Second); time.Now().Before(end); {
		spin_in_test()
	}
	pprof.StopCPUProfile()
}
`;

const python = `
import time
def spin_in_test(n):
    return sum(i * i for i in range(n))
def caller(n):
    return spin_in_test(n) + spin_in_test(n // 2)
end = time.time() + 1.5
while time.time() < end:
    caller(20000)
`;

const c = `#include <math.h>
#include <stdio.h>
__attribute__((noinline)) double spin_in_test(int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += sqrt(i);
  return sum;
}
int main(void) {
  double sum = 0;
  for (int i = 0; i < 3000; i++) sum += spin_in_test(100000);
  printf("%f\\n", sum);
}
`;

// ---- What the tools have in their files

/** Runs speedscope's own readers. py-spy lists a function twice, which speedscope counts as two. */
function askSpeedscope(file, nanoseconds) {
  const script = `import { readGroup } from ${JSON.stringify(join(import.meta.dirname, '../report/readers/speedscope_app.mjs'))};
    const sums = {};
    const add = (node, callers) => {
      const { name, file, line, col } = node.frame;
      const key = JSON.stringify([name, file, line, col]);
      sums[key] ??= [0, 0, name];
      sums[key][0] += node.getSelfWeight();
      if (!callers.has(key)) sums[key][1] += node.getTotalWeight();
      for (const child of node.children) add(child, new Set(callers).add(key));
    };
    for (const profile of (await readGroup()).profiles)
      for (const child of profile.getGroupedCalltreeRoot().children) add(child, new Set());
    console.log(JSON.stringify(Object.values(sums)));`;
  const rows = JSON.parse(run(process.execPath, ['--input-type=module', '-e', script, '-', file]));
  return rows.map(([self, total, name]) => [self * nanoseconds, total * nanoseconds, name]);
}

function askPprof(file) {
  const options = ['-top', '-nodecount=1000000', '-nodefraction=0', '-edgefraction=0', '-unit=ns'];
  const numbers = /^ *(\d+)(?:ns)? +[\d.]+% +[\d.]+% +(\d+)(?:ns)? +[\d.]+% +(.*?)(?: \(inline\))?$/gm;
  return Array.from(run(process.env.WI_GO, ['tool', 'pprof', ...options, file]).matchAll(numbers),
                    ([, self, total, name]) => [Number(self), Number(total), name]);
}

/** perf has no total but in percent, and an address for what has no name. */
function askPerf() {
  const text = run('perf', ['report', '-i', 'perf.data', '--stdio', '--no-children', '-g', 'none', '-F', 'period,sym', '-t', '|']);
  return Array.from(text.matchAll(/^ *(\d+) *\|\[.\] (.*?) *$/gm), ([, self, name]) => [Number(self), undefined, name]);
}

/** The Firefox Profiler counts samples of 1 ms, a thread at a time. */
async function askFirefox(file) {
  const [{ threadCount }] = await askProfiler(file, [['profile', 'info']]);
  const commands = Array.from({ length: threadCount }, (_, i) => ['thread', 'functions', '--include-idle', '--thread', `t-${i}`, '--limit', '0']);
  const threads = await askProfiler(file, commands);
  return threads.flatMap(({ functions }) => functions).map(({ name, selfSamples, totalSamples }) => [selfSamples * 1e6, totalSamples * 1e6, name]);
}

// ---- The files

/** The program of a Python package. */
const pySpy = join(process.env.WI_PYTHON ?? '', 'bin/py-spy');
const hasPySpy = isHere(pySpy, '--version');
const recordPython = (format, file) => {
  writeFileSync(path('work.py'), python);
  // It gives up on an interpreter that has not begun yet.
  while (!isHere(pySpy, 'record', '-r', '200', '-f', format, '-o', file, '--', 'python3', 'work.py'));
};
const hasPerf = isHere('perf', 'record', '-q', '-e', 'cpu-clock', '-o', 'perf.data', 'true');
const hasSpeedscope = existsSync(packageFile('speedscope'));
const hasProfiler = existsSync(packageFile('@firefox-devtools/profiler-cli'));
const speedscope = (nanoseconds) => hasSpeedscope && ((file) => askSpeedscope(file, nanoseconds));

/** Speedscope puts (program) upon the stack before it, where V8 and wasm-perf have none: totals differ. */
const speedscopeOfV8 = hasSpeedscope && ((file) => askSpeedscope(file, 1000).map(([self, , name]) => [self, undefined, name]));

const hasName = (name) => !/^(?:0x|$)/.test(name);

/**
 * {name, file, make, ask, compared}. `ask` returns what the tool has in its file; `compared` is whether a name is the
 * same function in the tool and in wasm-perf. false: the tool is not here.
 */
export const files = [
  { name: 'wperf of wasm-perf', file: 'own.wperf', make(file) {
    const nodes = [{ function: 0, parent: 0, calls: 1, self: 1 }, { function: 1, parent: 1, calls: 1, self: 99 }];
    writeFileSync(path(file), writeProfile(nodes, [[0, 'main'], [1, 'spin_in_test']]));
  } },
  { name: 'cpuprofile of Node.js', file: 'node.cpuprofile', ask: speedscopeOfV8, make(file) {
    writeFileSync(path('work.cjs'), work(1000));
    run(process.execPath, ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${file}`, 'work.cjs']);
    // The last sample lasts to the profile's end: not in speedscope.
    const profile = JSON.parse(readFileSync(path(file), 'utf8'));
    profile.endTime = profile.timeDeltas.reduce((time, delta) => time + delta, profile.startTime);
    writeFileSync(path(file), JSON.stringify(profile));
  } },
  { name: 'trace of Chromium', file: 'trace.json', ask: speedscopeOfV8, async make(file) {
    // Chromium may begin to sample late where others have the processors.
    for (let time = 400; time <= 12_800; time *= 2) {
      await traceWork(time);
      if (readFileSync(path(file), 'utf8').includes('"spin_in_test"')) break;
    }
    writeFileSync(path(file), readFileSync(path(file), 'utf8').replace(/"endTime":\d+/, '"endTime":0')); // as above
  } },
  { name: 'pprof of Go', file: 'go.pb.gz', ask: process.env.WI_GO && askPprof, make: process.env.WI_GO && ((file) => {
    writeFileSync(path('work.go'), go);
    run(process.env.WI_GO, ['run', 'work.go', file], { env: { ...process.env, GOFLAGS: '-mod=mod', GO111MODULE: 'off' } });
  }) },
  { name: 'profile of Firefox', file: 'firefox.json', compared: (name) => name.includes('in_test'), ask: hasProfiler && askFirefox, make: process.env.WI_FIREFOX && ((file) => profileFirefox(path(file))) },
  { name: 'speedscope of py-spy', file: 'py.speedscope.json', ask: speedscope(1e9), make: hasPySpy && ((file) => recordPython('speedscope', file)) },
  { name: 'stacks of py-spy', file: 'py.folded', ask: speedscope(1), make: hasPySpy && ((file) => recordPython('raw', file)) },
  { name: 'trace of py-spy', file: 'py.trace.json', ask: speedscope(1000), make: hasPySpy && ((file) => recordPython('chrometrace', file)) },
  { name: 'script of perf', file: 'perf.txt', ask: askPerf, make: hasPerf && ((file) => {
    writeFileSync(path('work.c'), c);
    run('gcc', ['-O1', '-fno-omit-frame-pointer', '-o', 'work', 'work.c', '-lm']);
    run('perf', ['record', '-q', '-g', '-e', 'cpu-clock', '-o', 'perf.data', './work']);
    writeFileSync(path(file), run('perf', ['script', '-i', 'perf.data']));
  }) },
].map((file) => ({ compared: hasName, ...file }));
