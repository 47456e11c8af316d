// Programs that no fixed host makes the same: differs.mjs threads|process|network|timer
import { readFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const load = (name, imports) =>
  new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, import.meta.url))), imports).exports;

const ways = {
  threads() {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    for (let i = 0; i < 2; i++) new Worker(new URL(import.meta.url), { workerData: memory });
  },
  process: () => load('hash').hash_with(process.pid * 7),
  network() {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1', () => {
      const socket = connect(server.address().port, '127.0.0.1', () => {
        load('hash').hash_with(server.address().port + socket.localPort * 3);
        server.close();
      });
      socket.resume();
    });
  },
  timer() {
    const { hash_with: step } = load('hash');
    let isOver = false;
    setTimeout(() => { isOver = true; }, 300); // so many steps that two runs have hardly ever as many
    const go = () => isOver || (step(100), setImmediate(go));
    go();
  },
};
if (isMainThread) ways[process.argv[2]]();
else {
  const { work } = load('race', { host: { memory: workerData } });
  const started = new Int32Array(workerData.buffer, 16, 1);
  Atomics.add(started, 0, 1);
  while (Atomics.load(started, 0) < 2);
  work(2000000);
}
