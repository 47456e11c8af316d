/**
 * The watcher of a process, a separate thread. Makes other threads write their profiles when the main thread
 * asks for it, or when a file `stop` or `snapshot-N` appears in the session's folder. For a file `count`,
 * writes the main thread's counts.
 */

import { existsSync, readFileSync, readdirSync, renameSync, watch, writeFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { constants } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

import { SESSION } from '../wperf/format.mjs';
import { say } from './message.mjs';
import { HANDLER_COUNT, IS_ASKED, IS_ENDING } from './signals.mjs';

const { folder, request, stopRequest, countRequest, pid, answers, signalState } = workerData;

/** The request that calls our function in a thread. `ids`: the threads that should react, if several receive it. */
const evaluate = (ids = []) => ({
  method: 'Runtime.evaluate',
  params: { expression: `${request}(${JSON.stringify(ids)})`, silent: true },
});
const PATIENCE = 2000; // ms for threads to answer
const STOP_DELAY = 100; // ms for a thread that is not busy to handle the signal itself
const STOP_PATIENCE = 3000; // ms for a main thread that is not in the kernel to answer
const GLANCE = 1; // ms between checks
const ALL = 0; // index of the answer for all threads

let sequence = 1;

/** Opens a session with the main thread, as briefly as possible: an open one would delay the process's end. */
function withMainThread(use) {
  const session = new inspector.Session();
  session.connectToMainThread();
  use(session, () => session.disconnect());
}

/**
 * Like withMainThread, unless the process is ending: Node would say that it waits for a debugger. The process does not
 * end before `done` is called.
 */
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
      setTimeout(free, GLANCE); // once the session is closed
    });
  });
}

/** Calls `then` once those threads have answered, or after a timeout. */
function awaitAnswers(ids, before, then) {
  const deadline = performance.now() + PATIENCE;
  const timer = setInterval(() => {
    const isAnswered = ids.every((id, i) => Atomics.load(answers, id) !== before[i]);
    if (!isAnswered && performance.now() < deadline) return;
    clearInterval(timer);
    then();
  }, GLANCE);
}

/** Makes those threads write their profiles. Calls `then` once they have, and the session is closed. */
function flushWorkers(ids, withSession, then) {
  const before = ids.map((id) => Atomics.load(answers, id));
  withSession((session, done) => {
    awaitAnswers(ids, before, () => {
      done();
      setTimeout(then, GLANCE);
    });
    // Asks all threads: the protocol has other thread numbers.
    session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
      const message = JSON.stringify({ id: sequence++, ...evaluate(ids) });
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    });
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  });
}

/** Makes threads write their last profiles. The main thread waits for that. */
function flushForMainThread(ids) {
  flushWorkers(ids, withMainThread, () => {
    Atomics.add(answers, ALL, 1);
    Atomics.notify(answers, ALL);
  });
}

/**
 * Takes a snapshot. A file reports when all threads have written their profiles, or a timeout has passed. The
 * main thread does not wait for the others: a sleeping thread has nothing new.
 */
function takeSnapshot(number) {
  const report = () => existsSync(folder) && writeFileSync(join(folder, `${pid}${SESSION.taken}${number}`), '');
  withRunningThread((session, done) => {
    const { method, params } = evaluate();
    session.post(method, { ...params, returnByValue: true }, (_error, answer) => {
      const ids = answer?.result?.value ?? [];
      done();
      if (ids.length > 0) setTimeout(() => flushWorkers(ids, withRunningThread, report), 2 * GLANCE);
      else report();
    });
  });
}

let isCounting = false;

/** Writes the main thread's counts to a file. */
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

/**
 * Calls `then` once the main thread answers. If it does not, and the program handles no signals, kills the
 * process, which would not see the signal.
 */
function whenMainThreadAnswers(session, then) {
  const isHandled = () => Atomics.load(signalState, HANDLER_COUNT) > 0; // by the program, when it runs again
  const end = () => {
    say('the program is blocked in a system call and cannot write its profile');
    process.kill(pid, 'SIGKILL');
  };
  const timer = setTimeout(() => isHandled() || end(), STOP_PATIENCE);
  session.post('Runtime.evaluate', { expression: '0', silent: true }, () => {
    clearTimeout(timer);
    then();
  });
}

/** Handles a signal for a main thread that may be too busy to see it: writes the profile, then ends the process. */
function stop() {
  const given = Number(readFileSync(join(folder, SESSION.stop), 'utf8')) || constants.signals.SIGTERM;
  const number = Math.abs(given);
  withRunningThread((session, done) => {
    const params = { expression: `${stopRequest}(${number}, ${given < 0})`, silent: true };
    whenMainThreadAnswers(session, () => {
      if (Atomics.load(signalState, IS_ENDING)) return done(); // it handled the signal, or has ended by itself
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
for (const name of readdirSync(folder)) look(name); // requests from before the watcher started
