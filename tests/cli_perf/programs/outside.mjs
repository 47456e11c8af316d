// Writes into a file what all globals and the modules about the machine answer: a line `path value` for each value that can be
// reached by reading properties, and by calling functions and constructors without arguments.
import buffer from 'node:buffer';
import crypto from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import perf_hooks from 'node:perf_hooks';
import v8 from 'node:v8';

const [, , module, output] = process.argv;
new WebAssembly.Instance(new WebAssembly.Module(readFileSync(module))).exports.spin(1);

const DEPTH = 5;
const lines = [];
// What ends, stops or changes the process, talks to others, or writes files.
const NEVER = /^(name|length|off|emit|removeAllListeners|removeListener|exit|reallyExit|abort|kill|_kill|execve|dlopen|openStdin|chdir|ref|unref|stdin|stdout|stderr|umask|gc|eval|fetch|constructor)$|^(set|_|queue|take|stop|start|clear)|^(console|EventSource|WebSocket|localStorage|sessionStorage|Storage|WebAssembly|Atomics)$|Snapshot|queryObjects|loadEnvFile|GCProfiler|promiseHooks|writeReport|moduleLoadList|secureHeap|^(require|binding|mainModule|BroadcastChannel|Worker|MessageChannel)$/;
const isPlain = (object) => [Object, Function, Array].some(({ prototype }) => object === prototype);
const seen = new Set([globalThis]);

function keysOf(object) {
  const keys = new Set();
  for (let at = object; at && !isPlain(at); at = Object.getPrototypeOf(at))
    for (const key of Reflect.ownKeys(at)) if (typeof key === 'string' && !NEVER.test(key)) keys.add(key);
  return keys;
}

function attempt(act) {
  try {
    return act();
  } catch {
    return undefined; // it needs arguments
  }
}

function visitFunction(path, value, owner, depth) {
  const isClass = /^[A-Z]/.test(value.name) && value.prototype;
  if (isClass) visit(`new ${path}`, attempt(() => new value()), undefined, depth - 1);
  visit(`${path}()`, attempt(() => value.call(owner)), undefined, depth - 1);
}

function visit(path, value, owner, depth) {
  if (typeof value !== 'object' && typeof value !== 'function') {
    lines.push(`${path} ${String(value)}`);
    return;
  }
  if (value === null || depth === 0) return;
  if (typeof value === 'function') visitFunction(path, value, owner, depth);
  if (seen.has(value)) return;
  seen.add(value);
  if (value instanceof Promise) value.catch(() => {});
  else
    for (const key of keysOf(value)) visit(`${path}.${key}`, attempt(() => value[key]), value, depth - 1);
}

for (const name of keysOf(globalThis)) visit(name, globalThis[name], globalThis, DEPTH);
for (const [name, module] of Object.entries({ buffer, crypto, os, perf_hooks, v8 })) visit(name, module, undefined, DEPTH);
for (const bytes of [new File([], 'x').lastModified, new buffer.File([], 'x').lastModified, new Event('x').timeStamp,
  new PerformanceMark('x').startTime, new perf_hooks.PerformanceMark('y').startTime, performance.mark('z').startTime,
  crypto.randomBytes(8), crypto.getRandomValues(new Uint8Array(8)), crypto.webcrypto.getRandomValues(new Uint8Array(8)),
  new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'full' }).format(), Temporal?.Now.zonedDateTimeISO('Asia/Tokyo')])
  lines.push(`with arguments ${String(bytes)}`);
writeFileSync(output, lines.join('\n'));
process.exit();
