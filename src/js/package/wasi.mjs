/**
 * Runs our commands, compiled to WebAssembly, in any JavaScript engine. Implements the part of WASI
 * that they use, on top of files that the caller provides.
 */

/** The engine's own constructor, which does not instrument: this module is not the program's. */
const { Instance } = WebAssembly;

/** Error numbers of WASI. */
export const ERRNO = {
  acces: 2,
  badf: 8,
  exist: 20,
  inval: 28,
  io: 29,
  isdir: 31,
  noent: 44,
  nospc: 51,
  nosys: 52,
  notdir: 54,
  perm: 63,
  pipe: 64,
  spipe: 70,
};
const FILETYPE = { folder: 3, terminal: 2, file: 4, unknown: 0 };
const OPEN_CREATE = 1;
const ALL_RIGHTS = 0xffffffffffffffffn;
const FIRST_FILE = 4; // 3 is the folder that all paths are in
const IOVEC_SIZE = 8;

/** A failed file operation, with WASI's `errno`. */
export class FileError extends Error {
  constructor(errno, message = `WASI errno ${errno}`) {
    super(message);
    this.errno = errno;
  }
}

class Exit extends Error {
  constructor(code) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** A file in memory. */
class MemoryFile {
  #bytes;
  #size;
  #offset = 0;
  #done;

  /** @param {(bytes: Uint8Array) => void} [done] called with the contents when the file is closed */
  constructor(bytes, done) {
    this.#bytes = bytes;
    this.#size = bytes.length;
    this.#done = done;
  }

  get size() {
    return this.#size;
  }

  read(target) {
    const part = this.#bytes.subarray(this.#offset, Math.min(this.#size, this.#offset + target.length));
    target.set(part);
    this.#offset += part.length;
    return part.length;
  }

  write(source) {
    const end = this.#offset + source.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, this.#bytes.length + this.#bytes.length / 2));
      larger.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = larger;
    }
    this.#bytes.set(source, this.#offset);
    this.#offset = end;
    this.#size = Math.max(this.#size, end);
    return source.length;
  }

  close() {
    this.#done?.(this.bytes());
  }

  bytes() {
    return this.#bytes.subarray(0, this.#size);
  }
}

/** A file system in memory, without folders. */
class MemoryFiles {
  #files = new Map();

  /** @param {Record<string, Uint8Array>} [files] not changed */
  constructor(files = {}) {
    for (const [path, bytes] of Object.entries(files)) this.#files.set(path, bytes);
  }

  /** The bytes of a file, or undefined. */
  get(path) {
    return this.#files.get(path);
  }

  open(path, isWritten) {
    if (isWritten) return new MemoryFile(new Uint8Array(0), (bytes) => this.#files.set(path, bytes));
    return new MemoryFile(this.#existing(path));
  }

  /** {size, isFolder, isRegular} */
  stat(path) {
    return { size: this.#existing(path).length, isFolder: false, isRegular: true };
  }

  rename(from, to) {
    this.#files.set(to, this.#existing(from));
    this.#files.delete(from);
  }

  remove(path) {
    this.#existing(path);
    this.#files.delete(path);
  }

  #existing(path) {
    const bytes = this.#files.get(path);
    if (!bytes) throw new FileError(ERRNO.noent);
    return bytes;
  }
}

/** Translates Perl's syntax where JavaScript's differs: leading flags, and anchors of the whole text. */
export function compileRegex(pattern) {
  const [, inFront = '', rest] = /^(?:\(\?([ims]+)\))?([^]*)$/.exec(pattern);
  const source = rest.replace(/\\(?:([AzZ])|[^])/g, (escape, anchor) =>
    anchor ? { A: '(?<![^])', z: '(?![^])', Z: '(?=\\n?(?![^]))' }[anchor] : escape,
  );
  try {
    return new RegExp(source, `${inFront}u`);
  } catch {
    return new RegExp(source, inFront); // takes escapes that need none, as Perl does
  }
}

/** The imports of wasi/regex.c, module `host`. */
class Regexes {
  #regexes = [];

  imports(process) {
    return {
      regex_new: (pattern, size, why, whySize) => {
        try {
          return this.#regexes.push(compileRegex(process.text(pattern, size)));
        } catch (error) {
          const message = new TextEncoder().encode(error.message).subarray(0, whySize - 1);
          process.bytes(why, message.length + 1).set([...message, 0]);
          return 0;
        }
      },
      regex_find: (regex, text, size) => Number(this.#regexes[regex - 1].test(process.text(text, size))),
    };
  }
}

/** One run of a command. */
class Process {
  #options;
  #memory = null;
  #open;
  #args;
  #variables;

  constructor(options) {
    this.#options = options;
    this.#open = [options.stdin, options.stdout, options.stderr];
    const encoder = new TextEncoder();
    const encode = (text) => encoder.encode(`${text}\0`);
    this.#args = options.args.map(encode);
    this.#variables = Object.entries(options.env ?? {}).map(([name, value]) => encode(`${name}=${value}`));
  }

  /** Runs the command; returns its exit code. */
  run(module) {
    const instance = new Instance(module, {
      wasi_snapshot_preview1: this.#imports(),
      host: { ...new Regexes().imports(this), record: (...words) => this.#record(...words) },
    });
    this.#memory = instance.exports.memory;
    try {
      instance.exports._start();
      return 0;
    } catch (error) {
      if (error instanceof Exit) return error.code;
      throw error;
    } finally {
      for (const file of this.#open) file?.close?.();
    }
  }

  /** Import of wasi/run.c: passes on what `wasm-perf record` was asked for. */
  #record(settings, settingsSize, output, outputSize, name, nameSize, symbols, symbolsSize, duration, open) {
    this.#options.onRecord?.({
      settings: JSON.parse(this.text(settings, settingsSize)),
      output: this.text(output, outputSize),
      name: this.text(name, nameSize),
      symbols: this.text(symbols, symbolsSize).split('\n').slice(0, -1),
      duration,
      open: open !== 0,
    });
  }

  bytes(address, size) {
    return new Uint8Array(this.#memory.buffer, address >>> 0, size >>> 0);
  }

  text(address, size) {
    return new TextDecoder().decode(this.bytes(address, size));
  }

  get #view() {
    return new DataView(this.#memory.buffer);
  }

  #file(fd) {
    const file = this.#open[fd];
    if (!file) throw new FileError(ERRNO.badf);
    return file;
  }

  #sizes(list, count, size) {
    this.#view.setUint32(count, list.length, true);
    this.#view.setUint32(size, list.reduce((sum, { length }) => sum + length, 0), true);
  }

  #strings(list, pointers, text) {
    for (const item of list) {
      this.#view.setUint32(pointers, text, true);
      this.bytes(text, item.length).set(item);
      pointers += 4;
      text += item.length;
    }
  }

  /** Calls `use` with each piece until it uses only a part of one; writes the number of bytes used to `result`. */
  #pieces(iovecs, count, result, use) {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const address = this.#view.getUint32(iovecs + i * IOVEC_SIZE, true);
      const size = this.#view.getUint32(iovecs + i * IOVEC_SIZE + 4, true);
      const used = size === 0 ? 0 : use(this.bytes(address, size));
      sum += used;
      if (used < size) break;
    }
    this.#view.setUint32(result, sum, true);
  }

  #stat(address, { size = 0, isFolder, isRegular, isTerminal }) {
    this.bytes(address, 64).fill(0);
    const type = isFolder ? 'folder' : isRegular ? 'file' : isTerminal ? 'terminal' : 'unknown';
    this.#view.setUint8(address + 16, FILETYPE[type]);
    this.#view.setBigUint64(address + 32, BigInt(size), true);
  }

  #openPath(path, size, flags, result) {
    const { files } = this.#options;
    const isWritten = (flags & OPEN_CREATE) !== 0;
    const file = files.open(this.text(path, size), isWritten);
    let fd = FIRST_FILE;
    while (this.#open[fd]) fd++;
    this.#open[fd] = file;
    this.#view.setUint32(result, fd, true);
  }

  #calls() {
    const { files } = this.#options;
    return {
      args_sizes_get: (count, size) => this.#sizes(this.#args, count, size),
      args_get: (pointers, text) => this.#strings(this.#args, pointers, text),
      environ_sizes_get: (count, size) => this.#sizes(this.#variables, count, size),
      environ_get: (pointers, text) => this.#strings(this.#variables, pointers, text),
      clock_time_get: (id, _precision, result) => {
        const ms = id === 0 ? Date.now() : performance.now();
        this.#view.setBigUint64(result, BigInt(Math.round(ms * 1e6)), true);
      },
      fd_close: (fd) => {
        const file = this.#file(fd);
        delete this.#open[fd];
        file.close?.();
      },
      fd_fdstat_get: (fd, result) => {
        const { isTerminal } = this.#file(fd);
        this.bytes(result, 24).fill(0);
        this.#view.setUint8(result, isTerminal ? FILETYPE.terminal : FILETYPE.file);
        // The C library's isatty reports a file without seek rights as a terminal.
        this.#view.setBigUint64(result + 8, isTerminal ? ~0x24n & ALL_RIGHTS : ALL_RIGHTS, true);
      },
      fd_fdstat_set_flags: () => {},
      fd_filestat_get: (fd, result) => {
        const file = this.#file(fd);
        this.#stat(result, { size: file.size, isRegular: file.size !== undefined });
      },
      fd_read: (fd, iovecs, count, result) =>
        this.#pieces(iovecs, count, result, (target) => this.#file(fd).read(target)),
      fd_write: (fd, iovecs, count, result) =>
        this.#pieces(iovecs, count, result, (source) => this.#file(fd).write(source)),
      fd_seek: () => ERRNO.spipe,
      fd_prestat_get: () => ERRNO.badf,
      fd_prestat_dir_name: () => ERRNO.badf,
      path_open: (_fd, _lookup, path, size, flags, _rights, _inherited, _fdFlags, result) =>
        this.#openPath(path, size, flags, result),
      path_filestat_get: (_fd, _lookup, path, size, result) =>
        this.#stat(result, files.stat(this.text(path, size))),
      path_rename: (_fd, from, fromSize, _to, to, toSize) =>
        files.rename(this.text(from, fromSize), this.text(to, toSize)),
      path_unlink_file: (_fd, path, size) => files.remove(this.text(path, size)),
      proc_exit: (code) => {
        throw new Exit(code);
      },
    };
  }

  #imports() {
    const wrap = (call) => (...args) => {
      try {
        return call(...args) ?? 0;
      } catch (error) {
        if (error instanceof FileError) return error.errno;
        throw error;
      }
    };
    return Object.fromEntries(Object.entries(this.#calls()).map(([name, call]) => [name, wrap(call)]));
  }
}

/**
 * Runs a command.
 *
 * @param {WebAssembly.Module} module
 * @param {object} options
 * @param {string[]} options.args arguments; the first is the command's name
 * @param {Record<string, string>} [options.env]
 * @param {object} options.files an object like MemoryFiles
 * @param {object} options.stdin an object like the result of its `open`
 * @param {object} options.stdout
 * @param {object} options.stderr
 * @param {(request: object) => void} [options.onRecord] called with the request of `wasm-perf record`
 * @returns {number} its exit code
 */
export function runCommand(module, options) {
  return new Process(options).run(module);
}

/**
 * The same with all files in memory.
 *
 * @param {WebAssembly.Module} module
 * @param {string[]} args
 * @param {Record<string, Uint8Array>} [files]
 * @returns {{status: number, stdout: string, stderr: string, files: MemoryFiles}}
 */
export function runInMemory(module, args, files) {
  const decoder = new TextDecoder();
  const all = new MemoryFiles(files);
  const [stdin, stdout, stderr] = [0, 1, 2].map(() => new MemoryFile(new Uint8Array(0)));
  const status = runCommand(module, { args, files: all, stdin, stdout, stderr });
  const [output, messages] = [stdout, stderr].map((file) => decoder.decode(file.bytes()));
  return { status, stdout: output, stderr: messages, files: all };
}
