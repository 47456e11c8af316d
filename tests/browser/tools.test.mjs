// Files made by the tools that they are of, opened in Chromium and in Firefox: the function that works is in the table.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { writeProfile } from '../js/wperf.mjs';
import { importPackage, tool } from '../support/tools.mjs';
import { openFiles, readAllRows, textOf } from './report_page.mjs';
import { browser as chromium, folder } from './support.mjs';

const { default: puppeteer } = await importPackage('puppeteer-core');
const path = (name) => join(folder, name);

const ofFirefox = { ...process.env, HOME: folder };
const firefox = process.env.WI_FIREFOX
  ? await puppeteer.launch({ browser: 'firefox', executablePath: process.env.WI_FIREFOX, protocolTimeout: 300_000, env: ofFirefox })
  : null;
after(async () => {
  await chromium.close();
  await firefox?.close();
});

execFileSync(tool('wasm-perf'), ['open', '--no-browser', '-o', path('view.html')]);

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

/** What writes each file; null: its tool is not here. */
const makers = {
  'wperf of wasm-perf': ['own.wperf', () => {
    const nodes = [{ function: 0, parent: 0, calls: 1, self: 1 }, { function: 1, parent: 1, calls: 1, self: 99 }];
    writeFileSync(path('own.wperf'), writeProfile(nodes, [[0, 'main'], [1, 'spin_in_test']]));
  }],
  'cpuprofile of Node.js': ['node.cpuprofile', () => {
    writeFileSync(path('work.cjs'), work(1000));
    execFileSync(process.execPath, ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-name=node.cpuprofile', path('work.cjs')]);
  }],
  'trace of Chromium': ['trace.json', async () => {
    // Chromium may begin to sample late where others have the processors.
    for (let time = 400; time <= 12_800; time *= 2) {
      await traceWork(time);
      if (readFileSync(path('trace.json'), 'utf8').includes('"spin_in_test"')) break;
    }
  }],
  'pprof of Go': process.env.WI_GO ? ['go.pb.gz', () => {
    writeFileSync(path('work.go'), go);
    execFileSync(process.env.WI_GO, ['run', path('work.go'), path('go.pb.gz')], { env: { ...process.env, GOFLAGS: '-mod=mod', GO111MODULE: 'off' } });
  }] : null,
  'profile of Firefox': firefox ? ['firefox.json', () => profileFirefox(path('firefox.json'))] : null,
};

async function namesIn(browser, file) {
  const page = await browser.newPage();
  page.setDefaultTimeout(300_000);
  try {
    await page.goto(pathToFileURL(path('view.html')).href);
    await openFiles(page, path(file));
    assert.equal(await textOf(page, 'notice'), '');
    return (await readAllRows(page)).rows.map(({ name }) => name);
  } finally {
    await page.close();
  }
}

for (const [name, maker] of Object.entries(makers))
  test(`${name} in both browsers`, { skip: maker === null && 'its tool is not here' }, async (context) => {
    const [file, make] = maker;
    await make();
    for (const browser of [chromium, firefox]) {
      if (browser === null) context.diagnostic('Firefox is not here');
      else assert((await namesIn(browser, file)).some((row) => row.includes('spin_in_test')));
    }
  });

test('go tool pprof and wasm-perf find the same in a file of Go', { skip: !process.env.WI_GO && 'Go is not here' }, () => {
  const options = ['-top', '-nodecount=1000000', '-nodefraction=0', '-edgefraction=0', '-unit=ns'];
  const text = execFileSync(process.env.WI_GO, ['tool', 'pprof', ...options, path('go.pb.gz')], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const numbers = /^ *(\d+)(?:ns)? +[\d.]+% +[\d.]+% +(\d+)(?:ns)? +[\d.]+% +(.*?)(?: \(inline\))?$/gm;
  const theirs = Array.from(text.matchAll(numbers), ([, self, total, name]) => [name, Number(self), Number(total)]);
  const { functions } = JSON.parse(execFileSync(tool('wasm-perf'), ['report', '--format', 'json', path('go.pb.gz')], { encoding: 'utf8' }));
  assert(theirs.length > 1, text);
  assert.deepEqual(functions.map(({ name, self, total }) => [name, self, total]).sort(), theirs.sort());
});
