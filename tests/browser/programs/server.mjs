// A server that answers with SQLite while two of its threads work now and then and sleep in between. It asks itself
// for two seconds, in bursts, and ends.
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker, isMainThread, workerData } from 'node:worker_threads';
import initSqlJs from 'sql.js';

const { Database } = await initSqlJs();
const database = new Database();
database.run('CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT)');
const fill = (count) => {
  for (let i = 0; i < count; i++) database.run('INSERT INTO words (text) VALUES (?)', [`word ${i * 7919 % 1000}`]);
};

if (!isMainThread) {
  const bell = new Int32Array(workerData);
  for (let round = 0; round < 3; round++) {
    fill(2000);
    Atomics.wait(bell, 0, 0, 400);
  }
} else {
  fill(1000);
  const workers = [1, 2].map((i) => new Worker(new URL(import.meta.url), { name: `indexer ${i}`, workerData: new SharedArrayBuffer(4) }));
  const server = createServer((_request, response) => {
    const [{ values }] = database.exec('SELECT text, count(*), max(id) FROM words GROUP BY text ORDER BY 2 DESC, 1 LIMIT 20');
    response.end(JSON.stringify(values));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ask = () => new Promise((resolve) => get(`http://127.0.0.1:${server.address().port}/`, (answer) => answer.resume().on('end', resolve)));
  for (let burst = 0; burst < 4; burst++) {
    for (let i = 0; i < 80; i++) await ask();
    await sleep(300);
  }
  server.close();
  await Promise.all(workers.map((worker) => worker.terminate()));
}
