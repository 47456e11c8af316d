/**
 * The workers of a page, and the workers of these: each that loads this script says so to who started it, over a port of
 * their own, and what it counts joins the page's. Emscripten's pthreads load it without being told to.
 */

const HELLO = 'wasm-perf.worker';
const PATIENCE_MS = 1000; // a worker that waits or is busy answers to nothing
const GRACE_MS = 3000; // to load the script
const IS_PTHREAD = /^em-pthread/; // how Emscripten names them
const FIRST = '#wasm-perf-first='; // and the address of the worker's own script

const { Worker } = globalThis;
const { stringify } = JSON;

/** Where this script is, if it is one of its own that the page may start as a worker. */
const ownScript = globalThis.document?.currentScript?.src || (globalThis.document ? '' : globalThis.location?.href.split('#')[0]);
const canStartOwn = () => Boolean(ownScript) && new URL(ownScript).origin === globalThis.location.origin;

/** Starts this script as a worker of that name; undefined where that cannot be. */
export const startOwn = (name) => (Worker && canStartOwn() ? new Worker(ownScript, { name }) : undefined);

/** What a worker is to load instead of its script, to have ours first. */
function withOurs(url, { name = '' } = {}) {
  if (!IS_PTHREAD.test(name) || !canStartOwn()) return url;
  return ownScript + FIRST + encodeURIComponent(new URL(url, globalThis.document?.baseURI ?? globalThis.location.href).href);
}

/** Loads a module worker's own script; messages that come meanwhile come afterwards. */
async function importLate(url) {
  const early = [];
  const keep = (event) => {
    event.stopImmediatePropagation();
    early.push(event);
  };
  globalThis.addEventListener('message', keep);
  await import(url);
  globalThis.removeEventListener('message', keep);
  for (const { data, ports } of early) globalThis.dispatchEvent(new MessageEvent('message', { data, ports: [...ports] }));
}

/** Whether this is a worker of type module, which has importScripts, but may not call it. */
function isModuleWorker() {
  try {
    globalThis.importScripts();
    return false;
  } catch {
    return true;
  }
}

/** In a worker that was started with our script in the place of its own: loads that. */
export function loadOwnScript() {
  const [, url] = globalThis.document ? [] : globalThis.location.href.split(FIRST);
  if (!url) return;
  const script = decodeURIComponent(url);
  if (isModuleWorker()) importLate(script);
  else globalThis.importScripts(script);
}

/** A worker that has this script. */
class Peer {
  #port;
  #open = new Map(); // by number: who waits for the answer
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

  /** {isLate, parts, calls}: where it does not answer in time, what it said last. */
  ask(action) {
    const number = ++this.#count;
    this.#port.postMessage({ number, action });
    const answered = new Promise((resolve) => this.#open.set(number, resolve)).then(() => false);
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, true));
    return Promise.race([answered, late]).then((isLate) => ({ ...this.#last, isLate }));
  }
}

export class Workers {
  #peers = new Map(); // worker -> peer, also of workers that have ended
  #say;

  /** @param {(message: string) => void} say */
  constructor(say) {
    this.#say = say;
    if (Worker) this.#patch();
  }

  #patch() {
    globalThis.Worker = new Proxy(Worker, {
      construct: (target, [url, options, ...rest], newTarget) => {
        const own = newTarget === globalThis.Worker ? target : newTarget;
        const worker = Reflect.construct(target, [withOurs(url, options ?? {}), options, ...rest], own);
        this.#follow(worker, url, options);
        return worker;
      },
    });
    Worker.prototype.constructor = globalThis.Worker;
    const { terminate } = Worker.prototype;
    const peers = this.#peers;
    Worker.prototype.terminate = function () {
      const peer = peers.get(this);
      if (!peer) return terminate.call(this);
      peer.ask('take').then(() => terminate.call(this));
    };
  }

  /** Its first listener: the program does not see what is not meant for it. */
  #follow(worker, url, { type } = {}) {
    worker.addEventListener('message', (event) => {
      if (event.data !== HELLO) return;
      event.stopImmediatePropagation();
      this.#peers.set(worker, new Peer(event.ports[0]));
    });
    setTimeout(() => this.#peers.has(worker) || this.#tell(url, type), GRACE_MS);
  }

  #tell(url, type) {
    const [name] = String(url).split(/[?#]/)[0].split('/').slice(-1);
    const line = type === 'module' ? `import ${stringify(ownScript || 'wasm-perf/browser')}` : `importScripts(${stringify(ownScript)})`;
    this.#say(`what the worker ${name} does is not in the profile, as it does not load this script; its first line should be: ${line}`);
  }

  /** Asks all: {parts, calls, lateCount}, of which `parts` and `calls` are those of all workers. */
  async ask(action) {
    const answers = await Promise.all([...this.#peers.values()].map((peer) => peer.ask(action)));
    return {
      parts: answers.flatMap(({ parts }) => parts),
      calls: answers.reduce((sum, { calls }) => sum + calls, 0n),
      lateCount: answers.filter(({ isLate }) => isLate).length,
    };
  }
}

/**
 * In a worker: tells who started it, which then asks.
 *
 * @param {(action: string) => Promise<object>} act
 */
export function answerTo(act) {
  if (globalThis.document || !globalThis.DedicatedWorkerGlobalScope) return;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = async ({ data: { number, action } }) => port1.postMessage({ number, answer: await act(action) });
  globalThis.postMessage(HELLO, [port2]);
}
