/** Gives the commands that wasi.mjs runs access to Node's files and streams. */

import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { ERRNO, FileError } from '../package/wasi.mjs';

const ERRNO_BY_CODE = {
  EACCES: ERRNO.acces,
  EEXIST: ERRNO.exist,
  EISDIR: ERRNO.isdir,
  ENOENT: ERRNO.noent,
  ENOSPC: ERRNO.nospc,
  ENOTDIR: ERRNO.notdir,
  EPERM: ERRNO.perm,
  EPIPE: ERRNO.pipe,
};
const RETRY_MS = 1;

function attempt(call) {
  try {
    return call();
  } catch (error) {
    throw new FileError(ERRNO_BY_CODE[error.code] ?? ERRNO.io, error.message);
  }
}

const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);

/** Calls `call` again until a non-blocking stream is ready. */
function patiently(call) {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (error.code === 'EOF') return 0; // how Windows ends a pipe
      if (error.code !== 'EAGAIN') throw new FileError(ERRNO_BY_CODE[error.code] ?? ERRNO.io);
      wait();
    }
  }
}

class NodeFile {
  #fd;
  #isOurs;

  constructor(fd, isOurs) {
    this.#fd = fd;
    this.#isOurs = isOurs;
    this.isTerminal = isatty(fd);
  }

  get size() {
    const status = attempt(() => fstatSync(this.#fd));
    return status.isFile() ? status.size : undefined;
  }

  read(target) {
    return patiently(() => readSync(this.#fd, target));
  }

  write(source) {
    return patiently(() => writeSync(this.#fd, source));
  }

  close() {
    if (this.#isOurs) attempt(() => closeSync(this.#fd));
  }
}

export const nodeStreams = () => ({
  stdin: new NodeFile(0, false),
  stdout: new NodeFile(1, false),
  stderr: new NodeFile(2, false),
});

export const nodeFiles = {
  open: (path, isWritten) => new NodeFile(attempt(() => openSync(path, isWritten ? 'w' : 'r')), true),
  stat(path) {
    const status = attempt(() => statSync(path));
    return { size: status.size, isFolder: status.isDirectory(), isRegular: status.isFile() };
  },
  rename: (from, to) => attempt(() => renameSync(from, to)),
  remove: (path) => attempt(() => rmSync(path)),
};
