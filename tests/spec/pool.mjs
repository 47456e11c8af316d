/**
 * Jobs done by worker processes that speak JSON lines, so that an engine that crashes or hangs
 * costs one job and not the run.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The worker's side: answers each job with what `handle` returns, until the input ends. */
export async function serve(handle) {
  for await (const line of createInterface({ input: process.stdin }))
    process.stdout.write(`${JSON.stringify(await handle(JSON.parse(line)))}\n`);
}

/** The caller's side: one process at a time, which does one job at a time. */
export class Worker {
  #command;
  #seconds;
  #child = null;
  #settle = null;

  constructor(command, seconds) {
    this.#command = command;
    this.#seconds = seconds;
  }

  /** The answer, or {died: reason}; a worker that died is started again for the next job. */
  run(job) {
    this.#child ??= this.#start();
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.#end(`no answer in ${this.#seconds} s`),
        this.#seconds * 1000,
      );
      this.#settle = (answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      this.#child.stdin.write(`${JSON.stringify(job)}\n`);
    });
  }

  close() {
    this.#child?.stdin.end();
  }

  #start() {
    const [program, ...args] = this.#command;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    // A process that was given up may still have an answer, which is none to the next job.
    createInterface({ input: child.stdout }).on('line', (line) => child === this.#child && this.#settle(JSON.parse(line)));
    child.on('error', (error) => this.#end(error.message));
    child.stdin.on('error', () => {}); // told by "exit"
    child.on('exit', (code, signal) => {
      if (child === this.#child) this.#end(`the process ended: ${signal ?? `exit status ${code}`}`);
    });
    return child;
  }

  #end(reason) {
    this.#child?.kill('SIGKILL');
    this.#child = null;
    this.#settle?.({ died: reason });
  }
}

/**
 * Runs all jobs on `count` workers; answers come in any order as onAnswer(job, answer). A process ends after
 * `jobsPerProcess`.
 */
export async function runJobs({ command, count, seconds, jobs, onAnswer, jobsPerProcess = Infinity }) {
  const queue = jobs.values(); // the workers draw from one iterator
  const work = async () => {
    let worker = new Worker(command, seconds);
    let done = 0;
    for (const job of queue) {
      onAnswer(job, await worker.run(job));
      if (++done % jobsPerProcess !== 0) continue;
      worker.close();
      worker = new Worker(command, seconds);
    }
    worker.close();
  };
  await Promise.all(Array.from({ length: count }, work));
}
