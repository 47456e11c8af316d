/**
 * The watcher of a process, a thread of its own: has other threads write their profiles when the main
 * thread asks for it, or when a file `stop` or `snapshot-N` appears in the session's folder; where it is
 * `count`, it writes what the main thread has counted.
 */

import { existsSync, readFileSync, readdirSync, renameSync, watch, writeFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { constants } from 'node:os';
import { join } from 'node:path';
import { parentPort, threadId, workerData } from 'node:worker_threads';

import { SESSION } from '../wperf/format.mjs';
import { say } from './message.mjs';
import { HANDLER_COUNT, IS_ASKED, IS_ENDING } from './signals.mjs';

const { folder, request, stopRequest, countRequest, pid, answers, signalState } = workerData;

/** The request to run our code; of those threads, where it goes to more. */
const evaluate = (ids = []) => ({
  method: 'Runtime.evaluate',
  params: { expression: `${request}(${JSON.stringify(ids)})`, silent: true },
});
const PATIENCE = 2000; // ms for threads to answer
const STOP_DELAY = 100; // ms for a thread that is not busy to see the signal itself
const STOP_PATIENCE = 3000; // ms for a main thread that is not in the kernel to answer
const GLANCE = 1; // ms between two looks whether they have
const ALL = 0; // whose answer stands for all of theirs

let sequence = 1;

/** A session with the main thread, only for as long as it takes: an open one would delay its end. */
function withMainThread(use) {
  const session = new inspector.Session();
  session.connectToMainThread();
  use(session, () => session.disconnect());
}

/** The same, unless the process ends, which it does not before `done` is called. */
function withRunningThread(use) {
  Atomics.store(signalState, IS_ASKED, 1);
  const free = () => {
    Atomics.store(signalState, IS_ASKED, 0);
    Atomics.notify(signalState, IS_ASKED);
  };
  if (Atomics.load(signalState, IS_ENDING)) return free();
  withMainThread((session, done) => {
    use(session, () => {
      done();
      setTimeout(free, GLANCE); // once the session is gone
    });
  });
}

/** Calls `then` once those threads have answered, or patience has run out. */
function awaitAnswers(ids, before, then) {
  const deadline = performance.now() + PATIENCE;
  const timer = setInterval(() => {
    const isAnswered = ids.every((id, i) => Atomics.load(answers, id) !== before[i]);
    if (!isAnswered && performance.now() < deadline) return;
    clearInterval(timer);
    then();
  }, GLANCE);
}

/** Has those threads write their profiles; calls `then` once they have, and the session is gone. */
function flushWorkers(ids, then) {
  const before = ids.map((id) => Atomics.load(answers, id));
  withMainThread((session, done) => {
    awaitAnswers(ids, before, () => {
      done();
      setTimeout(then, GLANCE);
    });
    // All are asked: the protocol numbers threads in its own way.
    session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
      const message = JSON.stringify({ id: sequence++, ...evaluate(ids) });
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    });
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  });
}

/** The main thread waits for its threads to have written their last profiles. */
function flushForMainThread(ids) {
  flushWorkers(ids, () => {
    Atomics.add(answers, ALL, 1);
    Atomics.notify(answers, ALL);
  });
}

/**
 * Once all threads have written what they have, or have slept for too long, a file says so. The main thread does not
 * wait for the others: one that sleeps has nothing new.
 */
function takeSnapshot(number) {
  const tell = () => existsSync(folder) && writeFileSync(join(folder, `${pid}${SESSION.taken}${number}`), '');
  withMainThread((session, done) => {
    const { method, params } = evaluate();
    session.post(method, { ...params, returnByValue: true }, (_error, answer) => {
      const ids = answer?.result?.value ?? [];
      done();
      if (ids.length > 0) setTimeout(() => flushWorkers(ids, tell), GLANCE);
      else tell();
    });
  });
}

let isCounting = false;

/** Writes what the main thread has counted to a file. */
function takeCounts() {
  if (isCounting || !countRequest) return;
  isCounting = true;
  withRunningThread((session, done) => {
    session.post('Runtime.evaluate', { expression: `${countRequest}()`, silent: true }, (_error, answer) => {
      done();
      isCounting = false;
      const counts = answer?.result?.value;
      if (typeof counts !== 'string' || !existsSync(folder)) return;
      const path = join(folder, `${pid}${SESSION.counts}`);
      writeFileSync(`${path}.new`, counts);
      renameSync(`${path}.new`, path);
    });
  });
}

parentPort.on('message', ({ ids }) => flushForMainThread(ids));

/** Calls `then` once the main thread listens; ends a process that would not get the signal. */
function whenMainThreadAnswers(session, then) {
  const isHandled = () => Atomics.load(signalState, HANDLER_COUNT) > 0; // by the program, when it gets to it
  const end = () => {
    say('the program waits for the system and cannot be asked for its profile');
    process.kill(pid, 'SIGKILL');
  };
  const timer = setTimeout(() => isHandled() || end(), STOP_PATIENCE);
  session.post('Runtime.evaluate', { expression: '0', silent: true }, () => {
    clearTimeout(timer);
    then();
  });
}

/** A signal was sent to a thread that may be too busy to see it: the profile first, then its end. */
function stop() {
  if (Atomics.load(signalState, IS_ENDING)) return; // it would wait for a session to be closed, and say so
  const number = Number(readFileSync(join(folder, SESSION.stop), 'utf8')) || constants.signals.SIGTERM;
  withMainThread((session, done) => {
    const params = { expression: `${stopRequest}(${number})`, silent: true };
    whenMainThreadAnswers(session, () => {
      session.post('Runtime.evaluate', params, (_error, answer) => {
        done();
        if (answer?.result?.value === true) process.kill(pid, number);
      });
    });
  });
}

let isStopping = false;
const known = new Set();

function look(name) {
  if (!name || known.has(name)) return;
  if (name === SESSION.stop && !isStopping && existsSync(join(folder, name))) {
    isStopping = true;
    setTimeout(stop, STOP_DELAY);
  } else if (name === SESSION.count && existsSync(join(folder, name))) {
    takeCounts();
  } else if (name.startsWith(SESSION.snapshot)) {
    known.add(name);
    takeSnapshot(name.slice(SESSION.snapshot.length));
  }
}

watch(folder, (_event, name) => look(name)).unref();
for (const name of readdirSync(folder)) look(name); // what was asked for before we were there
