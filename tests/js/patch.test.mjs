/** patch.mjs: each way of compiling and instantiating, and that nothing else is noticed. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, afterEach, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { assemble, importHost, read } from './support.mjs';

const { patchWebAssembly } = await importHost('engine/patch.mjs');

const moduleOf = (name, answer) =>
  read(assemble(name, `(module (import "env" "f" (func)) (func (export "answer") (result i32) i32.const ${answer}))`));
const plain = moduleOf('plain', 1);
const other = moduleOf('other', 2);
const imports = { env: { f() {} } };
const broken = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0xff, 0);

const answerOf = (instance) => instance.exports.answer();

let patch;
afterEach(() => patch?.uninstall());

/** Patches so that modules answer 2; returns the log of what was called. */
function install(changes = {}) {
  const log = { rewrites: [], instances: [], errors: [] };
  patch = patchWebAssembly({
    rewrite(bytes, { script, ...source }) {
      log.rewrites.push({ size: bytes.length, ...source, script: script() });
      return { bytes: other, info: 'the info' };
    },
    onInstance: (instance, info) => log.instances.push({ instance, info }),
    onError: (error) => log.errors.push(error.message),
    ...changes,
  });
  return log;
}

const server = createServer((request, response) => {
  const type = request.url === '/text' ? 'text/plain' : 'application/wasm';
  response.writeHead(request.url === '/missing' ? 404 : 200, { 'Content-Type': type });
  response.end(request.url === '/broken' ? broken : plain);
});
let url;
before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

test("Node's own modules are none of the program's", async () => {
  const log = install();
  await (await fetch(`${url}/text`)).text(); // the first one here: Node loads its parser of HTTP
  assert.deepEqual([log.rewrites, log.instances], [[], []]);
});

/** Each way from bytes to an instance. */
const ways = {
  compile: async () => WebAssembly.instantiate(await WebAssembly.compile(plain), imports),
  instantiate: async () => (await WebAssembly.instantiate(plain, imports)).instance,
  'new Module, new Instance': () => new WebAssembly.Instance(new WebAssembly.Module(plain), imports),
  compileStreaming: async () =>
    new WebAssembly.Instance(await WebAssembly.compileStreaming(fetch(`${url}/a.wasm`)), imports),
  instantiateStreaming: async () =>
    (await WebAssembly.instantiateStreaming(await fetch(`${url}/a.wasm`), imports)).instance,
};

for (const [name, instantiate] of Object.entries(ways)) {
  test(`${name}: the module is rewritten and its instance told`, async () => {
    const log = install();
    const instance = await instantiate();
    assert.equal(answerOf(instance), 2);
    assert(instance instanceof WebAssembly.Instance);
    const isStreamed = name.endsWith('Streaming');
    assert.deepEqual(log.rewrites, [
      { size: plain.length, ...(isStreamed && { url: `${url}/a.wasm` }), script: import.meta.url },
    ]);
    assert.deepEqual(log.instances, [{ instance, info: 'the info' }]);
    assert.deepEqual(log.errors, []);
    patch.uninstall();
    assert.equal(answerOf(await instantiate()), 1);
    assert.equal(log.rewrites.length, 1);
  });

  test(`${name}: left as it is, and after errors of ours`, async () => {
    let log = install({ rewrite: () => null });
    assert.equal(answerOf(await instantiate()), 1);
    assert.equal(log.instances[0].info, undefined);
    patch.uninstall();

    log = install({
      rewrite() {
        throw new Error('cannot');
      },
      onInstance() {
        throw new Error('cannot either');
      },
    });
    assert.equal(answerOf(await instantiate()), 1);
    assert.deepEqual(log.errors, ['cannot', 'cannot either']);
    patch.uninstall();

    log = install({ rewrite: () => broken });
    assert.equal(answerOf(await instantiate()), 1);
    assert.equal(log.errors.length, 1);
    assert.equal(log.instances.length, 1);
  });
}

/** What the same call says without the patch and with it. */
async function errorsOf(call) {
  const messages = [];
  for (const isPatched of [false, true]) {
    if (isPatched) install({ rewrite: (bytes) => ({ bytes: bytes.slice() }) });
    const error = await new Promise((resolve) => resolve(call())).catch((reason) => reason);
    messages.push(`${error.name}: ${error.message}`);
  }
  patch.uninstall();
  return messages;
}

test('what a program derives from Response, or puts in its place, does not matter', async () => {
  const log = install({ rewrite: () => null }); // the module stays as it is
  const { Response } = globalThis;
  class Derived extends Response {}
  const response = new Derived(plain, { headers: { 'Content-Type': 'application/wasm' } });
  globalThis.Response = class {
    constructor() {
      throw new Error('called');
    }
  };
  try {
    assert((await WebAssembly.compileStreaming(response)) instanceof WebAssembly.Module);
  } finally {
    globalThis.Response = Response;
  }
  assert.deepEqual(log.errors, []);
});

test("the program sees the engine's errors", async () => {
  const calls = [
    () => WebAssembly.compile(broken),
    () => WebAssembly.instantiate(broken, imports),
    () => new WebAssembly.Module(broken),
    () => WebAssembly.compileStreaming(fetch(`${url}/broken`)),
    () => WebAssembly.instantiateStreaming(fetch(`${url}/broken`), imports),
    () => WebAssembly.compileStreaming(fetch(`${url}/text`)),
    () => WebAssembly.instantiateStreaming(fetch(`${url}/missing`), imports),
    () => WebAssembly.compile(17),
    () => WebAssembly.compile(),
    () => WebAssembly.instantiate(plain, 5),
    () => new WebAssembly.Module('text'),
    () => WebAssembly.Module(plain),
    () => new WebAssembly.Instance({}),
  ];
  for (const call of calls) {
    const [without, withPatch] = await errorsOf(call);
    assert.equal(withPatch, without, String(call));
  }
  // Two steps of ours are one of the engine's: it names the second.
  const [, message] = await errorsOf(() => WebAssembly.instantiate(plain, {}));
  assert.match(message, /TypeError: WebAssembly.instantiate\(\): Import #0 "env"/);
});

test('functions reject, they do not throw', () => {
  install();
  for (const name of ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming']) {
    const promise = WebAssembly[name]();
    assert(promise instanceof Promise);
    promise.catch(() => {});
  }
});

test('what the program can see of the functions and classes stays', () => {
  const look = () =>
    ['Module', 'Instance', 'compile', 'instantiate', 'compileStreaming', 'instantiateStreaming'].map(
      (name) => {
        const { value, ...descriptor } = Object.getOwnPropertyDescriptor(WebAssembly, name);
        return [value.name, value.length, descriptor];
      },
    );
  const before = look();
  const keys = Object.keys(WebAssembly);
  const values = () => Reflect.ownKeys(WebAssembly).map((key) => WebAssembly[key]);
  const native = values();
  install();
  assert.deepEqual(look(), before);
  assert.deepEqual(Object.keys(WebAssembly), keys);
  const module = new WebAssembly.Module(plain);
  assert.equal(module.constructor, WebAssembly.Module);
  assert.deepEqual(WebAssembly.Module.exports(module), [{ name: 'answer', kind: 'function' }]);
  class Own extends WebAssembly.Module {
    mine = true;
  }
  const own = new Own(plain);
  assert(own instanceof Own && own instanceof WebAssembly.Module && own.mine);
  assert.equal(answerOf(new WebAssembly.Instance(own, imports)), 2);
  patch.uninstall();
  assert(values().every((value, i) => value === native[i]));
  assert.equal(module.constructor, WebAssembly.Module);
  assert(module instanceof WebAssembly.Module);
});

test('how the program formats stacks stays', () => {
  const { Error } = globalThis;
  const states = [undefined, { value: () => 'its own', writable: true, enumerable: false, configurable: true },
    { get: () => undefined, set: () => assert.fail('its setter was called'), enumerable: true, configurable: true }];
  install();
  try {
    for (const state of states) {
      delete Error.prepareStackTrace;
      if (state !== undefined) Object.defineProperty(Error, 'prepareStackTrace', state);
      assert.equal(answerOf(new WebAssembly.Instance(new WebAssembly.Module(plain), imports)), 2);
      assert.deepEqual(Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace'), state);
    }
  } finally {
    delete Error.prepareStackTrace;
  }
});

test('what was taken from WebAssembly before uninstalling goes on without rewriting', async () => {
  const log = install();
  const { compile, Module } = WebAssembly;
  patch.uninstall();
  assert.equal(answerOf(await WebAssembly.instantiate(await compile(plain), imports)), 1);
  assert.equal(answerOf(new WebAssembly.Instance(new Module(plain), imports)), 1);
  assert.equal(log.rewrites.length, 0);
});

test('a second patch is the first', () => {
  const log = install();
  const first = patch;
  const second = install();
  assert.equal(patch, first);
  assert.equal(answerOf(ways['new Module, new Instance']()), 2);
  assert.deepEqual([log.rewrites.length, second.rewrites.length], [1, 0]);
});

test("a program's own patch on top of ours survives", async () => {
  install();
  const ours = WebAssembly.compile;
  const theirs = (...args) => ours(...args);
  WebAssembly.compile = theirs;
  patch.uninstall();
  assert.equal(WebAssembly.compile, theirs);
  assert.equal(answerOf(await WebAssembly.instantiate(await WebAssembly.compile(plain), imports)), 1);
  WebAssembly.compile = ours;
  install();
  patch.uninstall();
});

test('bytes of any kind, and changed as soon as the call is back', async () => {
  const log = install({ rewrite: (bytes) => (log.rewrites.push(bytes.length), { bytes: broken }) });
  const shared = new Uint8Array(new SharedArrayBuffer(plain.length + 8), 8);
  shared.set(plain);
  const sources = [Uint8Array.from(plain), Uint8Array.from(plain).buffer, new DataView(Uint8Array.from(plain).buffer), shared];
  for (const source of sources) {
    const promise = WebAssembly.instantiate(source, imports).catch((error) => error);
    if (source === sources[0]) source.fill(0);
    const result = await promise;
    if (source === shared && result instanceof TypeError) continue; // an engine that wants none
    assert.equal(answerOf(result.instance), 1);
  }
  assert.deepEqual(log.rewrites, sources.map(() => plain.length));
});

test('a module that a worker gets is an ordinary module, rewritten', async () => {
  install();
  const module = await WebAssembly.compile(plain);
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    const instance = new WebAssembly.Instance(workerData, { env: { f() {} } });
    parentPort.postMessage(instance.exports.answer());
  `;
  const worker = new Worker(code, { eval: true, workerData: module });
  const answer = await new Promise((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
  });
  assert.equal(answer, 2);
});

test('onInstance gets no info for a module that was not rewritten here', () => {
  const module = new WebAssembly.Module(plain);
  const log = install();
  assert.equal(answerOf(new WebAssembly.Instance(module, imports)), 1);
  assert.equal(log.instances.length, 1);
  assert.equal(log.instances[0].info, undefined);
});

test('an engine without multi-memory is reported once, and nothing is rewritten', () => {
  const errors = [];
  let rewrites = 0;
  const target = { validate: () => false, Module: WebAssembly.Module };
  patchWebAssembly({
    target, rewrite: () => { rewrites++; }, onError: ({ message }) => errors.push(message) });
  assert(new target.Module(plain) instanceof WebAssembly.Module);
  new target.Module(other);
  assert.equal(rewrites, 0);
  assert.equal(errors.length, 1);
  assert.match(errors[0], /^Node\.js [\d.]+ does not support modules with several memories/);
});
