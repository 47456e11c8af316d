/** The browser script: in front of a page's own, it profiles the page. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { assemble, at, folder, read, tool } from '../js/support.mjs';
import { callCounts, readProfile } from '../js/wperf.mjs';
import { browser, callsIn, click, download, readPanel, scriptFiles, serve, stop, withPage, withReport } from './pages.mjs';

after(() => browser.close());

const wasm = read(
  assemble(
    'app',
    `(module
      (func $fib (export "fib") (param i32) (result i32)
        local.get 0 i32.const 2 i32.lt_s
        if (result i32) local.get 0
        else
          local.get 0 i32.const 1 i32.sub call $fib
          local.get 0 i32.const 2 i32.sub call $fib
          i32.add
        end))`,
  ),
);
const APP = `
  const streamed = WebAssembly.instantiateStreaming(fetch('app.wasm'));
  streamed.then(({ instance, module }) => {
    globalThis.fib = instance.exports.fib;
    globalThis.again = () => new WebAssembly.Instance(module).exports.fib;
    document.title = 'ready';
  }, (error) => { document.title = String(error); });
`;
const page = (attributes = '') => ({
  'index.html': `<!doctype html><title>app</title><script src="wasm-perf.js" ${attributes}></script><script src="app.js"></script><h1>App</h1>`,
  ...scriptFiles(),
  'app.js': APP,
  'app.wasm': wasm,
});

const CALLS_OF_FIB_10 = 177;

async function withSite(files, headers, use) {
  const { url, close } = await serve(files, headers);
  try {
    await withPage(url, async (opened, said) => {
      await opened.waitForFunction(() => document.title !== 'app');
      await use(opened, said);
    });
  } finally {
    close();
  }
}

const fib = (opened, n) => opened.evaluate((size) => globalThis.fib(size), n);

test('the panel counts, resets, stops, and gives what was counted', () =>
  withSite(page('data-clock="instructions"'), {}, async (opened, said) => {
    assert.equal(await fib(opened, 10), 55);
    await opened.waitForFunction(
      () => document.querySelector('wasm-perf-panel').shadowRoot.querySelector('output').textContent === '177 calls',
    );
    await click(opened, 'Start/Reset');
    assert.equal((await readPanel(opened)).calls, '0 calls');
    await fib(opened, 10);
    await opened.evaluate(() => globalThis.again()(1)); // another instance of the same module
    await click(opened, 'Stop');
    const stopped = `${CALLS_OF_FIB_10 + 1} calls, stopped`;
    assert.equal((await readPanel(opened)).calls, stopped);
    await fib(opened, 20);

    const path = await download(opened, 'Download', 'app.wasm.wperf');
    assert.deepEqual(callsIn(path), { fib: CALLS_OF_FIB_10 + 1 });
    assert.equal((await readPanel(opened)).calls, stopped);
    assert.match(readFileSync(path, 'latin1'), /app\.wasm/);
    await withReport(opened, 'fib', async (report) => {
      assert.match(await report.title(), /app\.wasm/);
      assert.match(await report.evaluate(() => document.body.innerText), /instructions/);
    });
    await click(opened, 'Start/Reset');
    assert.equal((await readPanel(opened)).calls, '0 calls');
    assert.equal((await readPanel(opened)).message, '');
    assert.deepEqual(said, []);
  }));

test('thousands of instances in one loop, and in turns of the event loop, are all counted', async () => {
  const COUNT = 10_000; // Chromium has room for 8,000 of those that have two memories
  const text = '(module (memory (export "memory") 1) (func $leaf) (func $run (export "run") (call $leaf) (i32.store (i32.const 0) (i32.const 1))))';
  const app = `
    fetch('app.wasm').then((response) => response.arrayBuffer()).then(async (bytes) => {
      const module = new WebAssembly.Module(bytes);
      for (let i = 0; i < ${COUNT}; i++) new WebAssembly.Instance(module).exports.run();
      for (let i = 0; i < 100; i++) (await WebAssembly.instantiate(module)).exports.run();
      return 'ready';
    }).catch(String).then((title) => { document.title = title; });`;
  await withSite({ ...page(), 'app.wasm': read(assemble('many', text)), 'app.js': app }, {}, async (opened) => {
    assert.equal(await opened.title(), 'ready');
    const path = await download(opened, 'Download', 'app.js.wperf');
    assert.deepEqual(callCounts(readFileSync(path)), { run: COUNT + 100, 'run;leaf': COUNT + 100 });
  });
});

test('after an exception that the page caught, calls hang where they belong', async () => {
  const text = `(module
    (import "env" "fail" (func $fail))
    (func $outer (export "outer") call $inner)
    (func $inner call $fail)
    (func $alone (export "alone")))`;
  const files = { ...page(), 'app.wasm': read(assemble('throwing', text)) };
  files['app.js'] = `
    const env = { fail() { throw new Error('expected'); } };
    WebAssembly.instantiateStreaming(fetch('app.wasm'), { env }).then(({ instance: { exports } }) => {
      try { exports.outer(); } catch ({ message }) { document.title = message; }
      exports.alone();
    });`;
  await withSite(files, {}, async (opened) => {
    assert.equal(await opened.title(), 'expected');
    const path = await download(opened, 'Download', 'app.wasm.wperf');
    assert.deepEqual(callCounts(readFileSync(path)), { alone: 1, outer: 1, 'outer;inner': 1 });
  });
});

test('a start function that traps is in the profile', async () => {
  const starting = read(assemble('starting', '(module (func $main call $inner) (func $inner unreachable) (start $main))'));
  const app = `WebAssembly.instantiateStreaming(fetch('app.wasm')).catch(({ name }) => { document.title = name; });`;
  await withSite({ ...page(), 'app.wasm': starting, 'app.js': app }, {}, async (opened) => {
    assert.equal(await opened.title(), 'RuntimeError');
    const path = await download(opened, 'Download', 'app.wasm.wperf');
    assert.deepEqual(callCounts(readFileSync(path)), { main: 1, 'main;inner': 1 });
  });
});

test('a function without a name is described by what it refers to, as record does', async () => {
  const text = `(module (memory 1) (data (i32.const 1024) "no such table: \\00")
    (func (export "run") (result i32) (call 1)) (func (result i32) (i32.const 1024)))`;
  const app = `WebAssembly.instantiateStreaming(fetch('app.wasm')).then(({ instance }) => { document.title = String(instance.exports.run()); });`;
  await withSite({ ...page('data-skip-leaves="0"'), 'app.wasm': read(assemble('stripped', text)), 'app.js': app }, {}, async (opened) => {
    assert.equal(await opened.title(), '1024');
    const path = await download(opened, 'Download', 'app.wasm.wperf');
    assert.deepEqual(callsIn(path), { run: 1, 'func[1] "no such table: "': 1 });
  });
});

test('a page that may sample itself has times, and an import keeps its own', async () => {
  const text = `(module
    (import "env" "slow" (func $slow))
    (func $work (export "work") (param i32)
      (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
    (func $outer (export "outer") (call $work (i32.const 1)) (call $slow)))`;
  const files = { ...page('data-clock="sampled"'), 'app.wasm': read(assemble('timed', text)) };
  files['app.js'] = `
    const env = { slow() { for (const end = performance.now() + 150; performance.now() < end; ); } };
    globalThis.spin = (exports) => { for (const end = performance.now() + 400; performance.now() < end; ) exports.work(10_000_000); };
    WebAssembly.instantiateStreaming(fetch('app.wasm'), { env }).then(({ instance: { exports } }) => {
      globalThis.run = () => { spin(exports); exports.outer(); };
      document.title = 'ready';
    });`;
  await withSite(files, { 'Document-Policy': 'js-profiling' }, async (opened, said) => {
    await opened.evaluate(() => globalThis.run());
    await click(opened, 'Start/Reset');
    await opened.evaluate(() => globalThis.run());
    await stop(opened);
    assert.match((await readPanel(opened)).calls, /^[\d,]+ calls, \d\d\d ms, stopped$/);
    const { nodes, names, header } = readProfile(readFileSync(await download(opened, 'Download', 'app.wasm.wperf')));
    assert.equal(header.clock, 4);
    const selfOf = (name) => nodes.reduce((sum, node) => sum + (names.get(node.function) === name ? Number(node.self) / 1e6 : 0), 0);
    assert(selfOf('work') > 200 && selfOf('work') < 700, `work took ${selfOf('work')} ms`);
    assert(selfOf('outer') < 75, `outer took ${selfOf('outer')} ms`);
    await withReport(opened, 'work', async (report) => {
      assert.match(await report.evaluate(() => document.body.innerText), /sampled/);
    });
    assert.deepEqual(said, []);
  });
  await withSite(files, {}, async (opened) => {
    const { calls, message } = await readPanel(opened);
    assert.doesNotMatch(calls, /ms/);
    assert.match(message, /does not sample this page.*Document-Policy: js-profiling/);
  });
});

test('options are attributes, and scripts have a global', () =>
  withSite(page('data-panel="off" data-exclude="nothing fib"'), {}, async (opened) => {
    await fib(opened, 10);
    const [name, size] = await opened.evaluate(() => {
      const [{ name: first, bytes }] = globalThis.wasmPerf.profiles();
      return [first, bytes.length];
    });
    assert.equal(name, 'app.wasm');
    assert(size > 100);
    assert.equal(await opened.$('wasm-perf-panel'), null);
    assert.equal(await opened.evaluate(() => String(globalThis.wasmPerf.countCalls())), '0');
  }));

test('modules of other names stay as they are', () =>
  withSite(page('data-module="other*"'), {}, async (opened) => {
    assert.equal(await fib(opened, 10), 55);
    await click(opened, 'Download');
    const { calls, message } = await readPanel(opened);
    assert.equal(calls, 'no module yet');
    assert.equal(message, 'the page has instantiated no module that can be profiled');
  }));

test('an unknown option is reported, and the page works', () =>
  withSite(page('data-colour="red"'), {}, async (opened) => {
    assert.equal(await fib(opened, 10), 55);
    assert.equal((await readPanel(opened)).message, "app.wasm is not profiled: unknown option 'colour'");
  }));

test('a content security policy without inline scripts: the report is downloaded, with a message', () => {
  const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
  return withSite(page(), { 'Content-Security-Policy': policy }, async (opened, said) => {
    await fib(opened, 10);
    const path = await download(opened, 'Open report', 'app.wasm.html');
    assert.match(readFileSync(path, 'utf8'), /^<!DOCTYPE html>[^]*app\.wasm/i);
    const { message } = await readPanel(opened);
    assert.match(message, /^this page's content security policy forbids the report's script/);
    assert.deepEqual(said, []);
  });
});

test('a content security policy without WebAssembly: a message says what to add', () =>
  withSite(page(), { 'Content-Security-Policy': "script-src 'self'" }, async (opened) => {
    assert.match(await opened.title(), /CompileError/);
    const { message } = await readPanel(opened);
    assert.match(message, /^app.wasm is not profiled: this page's content security policy forbids WebAssembly: add 'wasm-unsafe-eval'/);
  }));

test('the modules of the commands are read when they are needed, and a missing one is named', () => {
  const { 'wasm-perf.wasm': _, ...files } = page();
  return withSite(files, {}, async (opened) => {
    await fib(opened, 10); // the report's module has not been read
    await click(opened, 'Open report');
    await opened.waitForFunction(() => document.querySelector('wasm-perf-panel').shadowRoot.querySelector('p').textContent);
    assert.match((await readPanel(opened)).message, /\/wasm-perf\.wasm is missing \(404\): keep it beside http:\S+\/wasm-perf\.js$/);
  });
});

test('a worker in another folder than the script rewrites its own modules', () => {
  const files = page();
  const folder = Object.fromEntries(Object.entries(scriptFiles()).map(([name, bytes]) => [`lib/${name}`, bytes]));
  const code = `importScripts('/lib/wasm-perf.js');
    fetch('/app.wasm').then((response) => response.arrayBuffer()).then((bytes) => {
      postMessage(new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.fib(10));
    });`;
  files['app.js'] = `
    globalThis.worker = new Worker('work/worker.js');
    worker.onmessage = ({ data }) => { document.title = String(data); };`;
  return withSite({ ...files, ...folder, 'work/worker.js': code }, {}, async (opened, said) => {
    assert.equal(await opened.title(), '55');
    await waitForCalls(opened, CALLS_OF_FIB_10);
    assert.deepEqual(said, []);
  });
});

const WORKER = `onmessage = ({ data }) => WebAssembly.instantiate(data).then(({ exports }) => postMessage(exports.fib(10)));`;
/** Posts the module of the page to a worker of that script and options, and tells what comes back. */
const withWorker = (script, options = '') => ({
  ...page(),
  'worker.js': script,
  'app.js': `
    WebAssembly.compileStreaming(fetch('app.wasm')).then((module) => {
      const worker = globalThis.worker = new Worker('worker.js', ${options || undefined});
      worker.onmessage = ({ data }) => { document.title = String(data) + (worker.constructor === Worker); };
      worker.postMessage(module);
    });`,
});
const waitForCalls = (opened, count) =>
  opened.waitForFunction(
    (text) => document.querySelector('wasm-perf-panel').shadowRoot.querySelector('output').textContent === text,
    {},
    `${count} calls`,
  );

test('a worker without the script is named, with the line to add', async () => {
  for (const [options, line] of [['', 'importScripts("'], ['{ type: "module" }', 'import "']])
    await withSite(withWorker(WORKER, options), {}, async (opened) => {
      assert.equal(await opened.title(), '55true');
      await opened.waitForFunction(() => document.querySelector('wasm-perf-panel').shadowRoot.querySelector('p').textContent);
      const { message } = await readPanel(opened);
      assert(message.startsWith(`the worker worker.js is not in the profile`), message);
      assert(message.includes(line) && message.includes('/wasm-perf.js"'), message);
    });
});

for (const [kind, first, options] of [
  ['classic', `importScripts('wasm-perf.js');`],
  ['module', `import './wasm-perf.js';`, '{ type: "module" }'],
  ["Emscripten's", '', '{ name: "em-pthread-1" }'],
  ["Emscripten's module", '', '{ name: "em-pthread-1", type: "module" }'],
])
  test(`a worker joins the report of its page: ${kind}`, () =>
    withSite(withWorker(first + WORKER, options), {}, async (opened, said) => {
      assert.equal(await opened.title(), '55true');
      await waitForCalls(opened, CALLS_OF_FIB_10);
      const path = await download(opened, 'Download', 'app.wasm.wperf');
      assert.deepEqual(callsIn(path), { fib: CALLS_OF_FIB_10 });
      await opened.evaluate(() => globalThis.worker.terminate());
      await new Promise((resolve) => setTimeout(resolve, 100));
      const profiles = await opened.evaluate(async () => (await globalThis.wasmPerf.collect()).map(({ name }) => name));
      assert.deepEqual(profiles, ['app.wasm']);
      await click(opened, 'Start/Reset');
      assert.deepEqual(said, []);
    }));

const LOAD = `const ready = WebAssembly.instantiateStreaming(fetch('app.wasm'));
  const answer = async (port) => port.postMessage((await ready).instance.exports.fib(10));`;
/** Workers that belong to no page: their scripts, and what a page does. */
const COMMON = {
  shared: [`${LOAD} onconnect = ({ ports: [port] }) => answer(port);`, `
    const worker = new SharedWorker('worker.js');
    worker.port.onmessage = ({ data }) => { document.title = data; };`],
  service: [`${LOAD} addEventListener('message', ({ source }) => answer(source)); addEventListener('install', () => skipWaiting());`, `
    navigator.serviceWorker.register('worker.js').then(() => navigator.serviceWorker.ready).then(({ active }) => active.postMessage(0));
    navigator.serviceWorker.onmessage = ({ data }) => { document.title = data; };`],
};
for (const [kind, [script, code]] of Object.entries(COMMON)) {
  test(`a ${kind} worker joins the report of a page`, () =>
    withSite({ ...page(), 'worker.js': `importScripts('wasm-perf.js'); ${script}`, 'app.js': code }, {}, async (opened, said) => {
      await opened.waitForFunction(() => document.title === '55');
      await waitForCalls(opened, CALLS_OF_FIB_10);
      assert.deepEqual(callsIn(await download(opened, 'Download', 'app.wasm.wperf')), { fib: CALLS_OF_FIB_10 });
      assert.deepEqual(said, []);
    }));

  test(`a ${kind} worker without the script is named`, () =>
    withSite({ ...page(), 'worker.js': script, 'app.js': code }, {}, async (opened) => {
      await opened.waitForFunction(() => document.querySelector('wasm-perf-panel').shadowRoot.querySelector('p').textContent);
      assert.match((await readPanel(opened)).message, /^the worker worker\.js is not in the profile.* importScripts\("http.*\/wasm-perf\.js"\)$/);
    }));
}

test('memory is below the lines of JavaScript that hold it', async () => {
  const text = `(module
    (global $top (mut i32) (i32.const 16))
    (memory 1)
    (func $malloc (param i32) (result i32) (global.get $top) (global.set $top (i32.add (global.get $top) (local.get 0))))
    (func (export "make") (param i32) (result i32) (call $malloc (local.get 0))))`;
  const files = {
    ...page('data-clock="none" data-memory'),
    'app.wasm': read(assemble('holder', text)),
    'app.js': `WebAssembly.instantiateStreaming(fetch('app.wasm')).then(({ instance, module }) => {
  const { make } = instance.exports;
  function hold(size) {
    make(size);
  }
  hold(100);
  make(7);
  for (let i = 0; i < 20; i++) new WebAssembly.Instance(module).exports.make(2);
  document.title = 'ready';
});
`,
  };
  await withSite(files, {}, async (opened) => {
    const path = await download(opened, 'Download', 'app.wasm.wperf');
    const { stdout, stderr } = tool('wasm-perf', ['report', '--value', 'live_bytes', '--format', 'json', path]);
    assert.equal(stderr, '');
    const held = JSON.parse(stdout).functions.filter(({ host }) => host);
    const lines = Object.fromEntries(held.map(({ line, total }) => [line, Number(total)]));
    assert.deepEqual(lines, { 4: 100, 6: 100, 7: 7, 8: 40 });
  });
});

test('a trace of DevTools gives the calls of a page their times', () =>
  withSite(page('data-clock="none"'), {}, async (opened) => {
    const trace = at('trace.json');
    await opened.tracing.start({ path: trace, categories: ['disabled-by-default-v8.cpu_profiler', 'devtools.timeline', '__metadata'] });
    await fib(opened, 36);
    await opened.tracing.stop();
    const path = await download(opened, 'Download', 'app.wasm.wperf');
    const { status, stdout, stderr } = tool('wasm-perf', ['report', '--times', trace, '--format', 'json', path]);
    assert.equal(status, 0);
    // A sample or two may fall into the profiler's own functions, which the panel calls to count.
    assert.match(stderr, /^(wasm-perf: \S+trace\.json: 0\.\d % of the time belongs to functions that are not in the profile; .*\n)?$/);
    const { functions } = JSON.parse(stdout);
    const { calls, self } = functions.find(({ name }) => name === 'fib');
    assert.equal(Number(calls), 48315633);
    assert(Number(self) > 1e6, stdout);
    assert(functions.some(({ name }) => name === 'globalThis.fib' || /anonymous|evaluate/.test(name)), stdout);
  }));

test('modules are rewritten in a worker, while the page goes on', async () => {
  const files = page();
  files['app.js'] = `
    const { Module } = WebAssembly;
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    WebAssembly.instantiateStreaming(fetch('app.wasm')).then(({ instance }) => {
      clearInterval(timer);
      instance.exports.fib(10);
      document.title = ticks > 0 ? 'ready' : 'blocked';
    });`;
  await withSite(files, {}, async (opened, said) => {
    assert.equal(await opened.title(), 'ready');
    const names = await Promise.all(opened.workers().map((worker) => worker.evaluate(() => globalThis.name)));
    assert.deepEqual(names, ['wasm-perf rewriter']);
    assert.equal(await opened.evaluate(() => String(globalThis.wasmPerf.countCalls())), String(CALLS_OF_FIB_10));
    assert.deepEqual(said, []);
  });
});

test('500 functions of JavaScript that became functions of WebAssembly leave the page its memory', () => {
  const shim = read(assemble('shim', '(module (import "e" "f" (func)) (export "f" (func 0)))')).toString('base64');
  const files = page();
  files['app.js'] = `
    const shim = Uint8Array.from(atob('${shim}'), (letter) => letter.charCodeAt(0));
    const functions = [];
    for (let i = 0; i < 500; i++)
      functions.push(new WebAssembly.Instance(new WebAssembly.Module(shim), { e: { f() {} } }).exports.f);
    new WebAssembly.Memory({ initial: 1, maximum: 65536 });
    WebAssembly.instantiateStreaming(fetch('app.wasm')).then(({ instance }) => {
      instance.exports.fib(10);
      document.title = functions.length;
    });`;
  return withSite(files, {}, async (opened) => {
    assert.equal(await opened.title(), '500');
    assert.deepEqual(await opened.evaluate(() => globalThis.wasmPerf.moduleNames), ['app.wasm']);
  });
});

test('the report has all modules of the page', async () => {
  const other = read(assemble('other', '(module (func $double (export "double") (param i32) (result i32) (i32.shl (local.get 0) (i32.const 1))))'));
  const files = { ...page(), 'other.wasm': other };
  files['app.js'] = `
    const load = async (name) => (await WebAssembly.instantiateStreaming(fetch(name))).instance.exports;
    Promise.all(['app.wasm', 'other.wasm'].map(load)).then(([{ fib }, { double }]) => {
      document.title = String(double(fib(10)));
    });`;
  await withSite(files, {}, async (opened) => {
    assert.equal(await opened.title(), '110');
    const path = await download(opened, 'Download', '127.0.0.1.wperf');
    assert.deepEqual(callsIn(path), { 'app.wasm': 0, 'other.wasm': 0, double: 1, fib: CALLS_OF_FIB_10 });
    await withReport(opened, 'double', async (report) => assert.match(await report.evaluate(() => document.body.innerText), /other\.wasm/));
  });
});

test('modules in the text of scripts are named by these, and several of one script apart', () => {
  const second = read(assemble('second', '(module (func (export "f")))')).toString('base64');
  const files = page();
  files['app.js'] = `
    const instantiate = (text) => WebAssembly.instantiate(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
    Promise.all([instantiate('${wasm.toString('base64')}'), instantiate('${second}'), instantiate('${second}')])
      .then(() => { document.title = 'ready'; });`;
  return withSite(files, {}, async (opened) => {
    assert.deepEqual(await opened.evaluate(() => globalThis.wasmPerf.moduleNames), ['app.js', 'app.js #2']);
  });
});

const EMCC = process.env.WI_EMCC;
const FIB_C = `
#include <emscripten.h>
#include <stdio.h>
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
EMSCRIPTEN_KEEPALIVE int compute(int n) { return fib(n); }
int main(void) { printf("fib(10) is %d\\n", fib(10)); return 0; }
`;

test('an Emscripten page, unchanged but for the script', { skip: !EMCC && 'emcc is not there' }, async () => {
  writeFileSync(at('fib.c'), FIB_C);
  execFileSync(EMCC, ['-O0', '-g2', 'fib.c', '-o', 'fib.js'], { cwd: folder, stdio: 'pipe' });
  const files = {
    'index.html': '<!doctype html><title>app</title><script src="wasm-perf.js"></script><script>var Module = { postRun() { document.title = "ready"; } };</script><script src="fib.js"></script>',
    ...scriptFiles(),
    'fib.js': read('fib.js'),
    'fib.wasm': read('fib.wasm'),
  };
  await withSite(files, {}, async (opened, said) => {
    assert.deepEqual(said, ['fib(10) is 55']);
    assert.equal(await opened.evaluate(() => globalThis._compute(12)), 144);
    const calls = callsIn(await download(opened, 'Download', 'fib.wasm.wperf'));
    assert.equal(calls.fib, CALLS_OF_FIB_10 + 465);
    assert.equal(calls.compute, 1);
    await withReport(opened, 'compute', async (report) => {
      assert.match(await report.title(), /fib\.wasm/);
    });
  });
});
