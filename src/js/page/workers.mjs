/**
 * Connects the workers of a page, and their workers. Each worker that loads this script sends a port to the
 * thread that started it, and its counts are added to the page's. Emscripten's pthreads load it automatically. No
 * page starts shared and service workers alone: they answer all pages of their origin on a channel.
 */

import { replaceConstructor, replaceMethod } from '../engine/disguise.mjs';

const CHANNEL = 'wasm-perf.workers';
const HELLO = 'wasm-perf.worker';
const PATIENCE_MS = 1000; // a worker that waits or is busy does not answer
const GRACE_MS = 3000; // for loading the script
const IS_PTHREAD = /^em-pthread/; // Emscripten's names
const FIRST = '#wasm-perf-first='; // followed by the URL of the worker's own script

const { Worker } = globalThis;
const { stringify } = JSON;

/** URL of this script; empty if it is not a separate script, which can be started as a worker. */
let ownScript = '';
export const setOwnScript = (url) => (ownScript = url.split('#')[0]);
const canStartOwn = () => Boolean(ownScript) && new URL(ownScript).origin === globalThis.location.origin;

/** Starts this script as a worker with that name; undefined if that is impossible. */
export const startOwn = (name) => (Worker && canStartOwn() ? new Worker(ownScript, { name }) : undefined);

/** Returns the URL for a worker to load: its own script, or ours, which then loads it. */
function withOurs(url, { name = '' } = {}) {
  if (!IS_PTHREAD.test(name) || !canStartOwn()) return url;
  return ownScript + FIRST + encodeURIComponent(new URL(url, globalThis.document?.baseURI ?? globalThis.location.href).href);
}

/** Loads a module worker's own script. Messages that arrive meanwhile are delivered afterwards. */
async function importLate(url) {
  const early = [];
  const keep = (event) => {
    event.stopImmediatePropagation();
    early.push(event);
  };
  globalThis.addEventListener('message', keep);
  await import(/* webpackIgnore: true */ url); // which webpack cannot resolve
  globalThis.removeEventListener('message', keep);
  for (const { data, ports } of early) globalThis.dispatchEvent(new MessageEvent('message', { data, ports: [...ports] }));
}

/** Whether this is a module worker, which has importScripts, but may not call it. */
function isModuleWorker() {
  try {
    globalThis.importScripts();
    return false;
  } catch {
    return true;
  }
}

/** In a worker that loaded our script instead of its own: loads its own. */
export function loadOwnScript() {
  const [, url] = globalThis.document ? [] : globalThis.location.href.split(FIRST);
  if (!url) return;
  const script = decodeURIComponent(url);
  if (isModuleWorker()) importLate(script);
  else globalThis.importScripts(script);
}

/** A worker that has loaded this script. */
class Peer {
  #port;
  #open = new Map(); // number -> function that resolves the answer
  #count = 0;
  #last = { parts: [], calls: 0n };

  constructor(port) {
    this.#port = port;
    port.onmessage = ({ data: { number, answer } }) => {
      Object.assign(this.#last, answer);
      this.#open.get(number)?.();
      this.#open.delete(number);
    };
  }

  /** Returns {isLate, parts, calls}: the worker's last answer if it does not answer in time. */
  ask(action) {
    const number = ++this.#count;
    this.#port.postMessage({ number, action });
    const answered = new Promise((resolve) => this.#open.set(number, resolve)).then(() => false);
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, true));
    return Promise.race([answered, late]).then((isLate) => ({ ...this.#last, isLate }));
  }
}

const newId = () => `${Date.now()} ${Math.random()}`;
const absolute = (url) => new URL(url, globalThis.document.baseURI).href;

/** A page's side of the channel. */
class Channel {
  peers = new Map(); // id of a worker -> peer
  urls = new Set(); // of the workers
  #ports = new Map(); // id of a worker -> what Peer uses as its port
  #channel = new BroadcastChannel(CHANNEL);
  #page = newId();

  constructor() {
    this.#channel.onmessage = ({ data }) => this.#take(data);
    this.#channel.postMessage({ isCalling: true });
  }

  #take({ from, url, page, number, answer }) {
    if (from === undefined) return; // another page's
    if (!this.#ports.has(from)) {
      const port = { postMessage: (message) => this.#channel.postMessage({ to: from, page: this.#page, ...message }) };
      this.#ports.set(from, port);
      this.peers.set(from, new Peer(port));
      this.urls.add(url);
    }
    if (page === this.#page) this.#ports.get(from).onmessage({ data: { number, answer } });
  }
}

export class Workers {
  #peers = new Map(); // worker -> peer, including workers that have ended
  #channel; // undefined in workers: their page asks
  #say;

  /** @param {(message: string) => void} say */
  constructor(say) {
    this.#say = say;
    if (Worker) this.#patch();
    if (globalThis.document && globalThis.BroadcastChannel) this.#openChannel();
  }

  #openChannel() {
    this.#channel = new Channel();
    const expect = (url, options) => {
      const script = absolute(url);
      const type = typeof options === 'object' ? options?.type : undefined;
      setTimeout(() => this.#channel.urls.has(script) || this.#warn(url, type), GRACE_MS);
    };
    replaceConstructor(globalThis, 'SharedWorker', (construct, args) => {
      const worker = construct(...args);
      expect(...args);
      return worker;
    });
    replaceMethod(globalThis.ServiceWorkerContainer?.prototype, 'register', (original) => ({
      register(...args) {
        const registered = original.apply(this, args);
        registered.then(() => expect(...args), () => {});
        return registered;
      },
    }.register));
  }

  #patch() {
    replaceConstructor(globalThis, 'Worker', (construct, [url, options, ...rest]) => {
      const worker = construct(withOurs(url, options ?? {}), options, ...rest);
      this.#follow(worker, url, options);
      return worker;
    });
    const { terminate } = Worker.prototype;
    const peers = this.#peers;
    Worker.prototype.terminate = function () {
      const peer = peers.get(this);
      if (!peer) return terminate.call(this);
      peer.ask('take').then(() => terminate.call(this));
    };
  }

  /** Adds the first listener: the program does not see our messages. */
  #follow(worker, url, { type } = {}) {
    worker.addEventListener('message', (event) => {
      if (event.data !== HELLO) return;
      event.stopImmediatePropagation();
      this.#peers.set(worker, new Peer(event.ports[0]));
    });
    setTimeout(() => this.#peers.has(worker) || this.#warn(url, type), GRACE_MS);
  }

  #warn(url, type) {
    const [name] = String(url).split(/[?#]/)[0].split('/').slice(-1);
    const line = type === 'module' ? `import ${stringify(ownScript || 'wasm-perf/browser')}` : `importScripts(${stringify(ownScript)})`;
    this.#say(`the worker ${name} is not in the profile, because it does not load this script; add as its first line: ${line}`);
  }

  /** Asks all workers. Returns the combined {parts, calls, lateCount}. */
  async ask(action) {
    const peers = [...this.#peers.values(), ...(this.#channel?.peers.values() ?? [])];
    const answers = await Promise.all(peers.map((peer) => peer.ask(action)));
    return {
      parts: answers.flatMap(({ parts }) => parts),
      calls: answers.reduce((sum, { calls }) => sum + calls, 0n),
      lateCount: answers.filter(({ isLate }) => isLate).length,
    };
  }
}

/**
 * In a worker: contacts the thread that started it, which then sends requests.
 *
 * @param {(action: string) => Promise<object>} act
 */
export function answerTo(act) {
  if (globalThis.document) return;
  if (!globalThis.DedicatedWorkerGlobalScope) {
    if (globalThis.BroadcastChannel) answerOnChannel(act);
    return;
  }
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = async ({ data: { number, action } }) => port1.postMessage({ number, answer: await act(action) });
  globalThis.postMessage(HELLO, [port2]);
}

/** In a shared or service worker. */
function answerOnChannel(act) {
  const channel = new BroadcastChannel(CHANNEL);
  const from = newId();
  const hello = () => channel.postMessage({ from, url: globalThis.location.href });
  channel.onmessage = async ({ data: { isCalling, to, page, number, action } }) => {
    if (isCalling) hello();
    if (to === from) channel.postMessage({ from, page, number, answer: await act(action) });
  };
  hello();
}
