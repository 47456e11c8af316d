/** Programs for the tests, as text. */

const wasi = (name, parameters) =>
  `(import "wasi_snapshot_preview1" "${name}" (func $${name} (param ${parameters}) (result i32)))`;
const exit = '(import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))';

/**
 * Writes its arguments, its environment and the name of its first folder to stderr, a line each
 * with NUL after each word, copies the file "input" of that folder or else stdin to stdout, and
 * exits with 7.
 */
export const mirror = `(module
  ${wasi('args_sizes_get', 'i32 i32')}
  ${wasi('args_get', 'i32 i32')}
  ${wasi('environ_sizes_get', 'i32 i32')}
  ${wasi('environ_get', 'i32 i32')}
  ${wasi('fd_prestat_get', 'i32 i32')}
  ${wasi('fd_prestat_dir_name', 'i32 i32 i32')}
  ${wasi('path_open', 'i32 i32 i32 i32 i32 i64 i64 i32 i32')}
  ${wasi('fd_read', 'i32 i32 i32 i32')}
  ${wasi('fd_write', 'i32 i32 i32 i32')}
  ${exit}
  (memory (export "memory") 2)
  (data (i32.const 64) "input")
  (data (i32.const 72) "\\n")
  (func $write (param $fd i32) (param $address i32) (param $size i32)
    (i32.store (i32.const 0) (local.get $address))
    (i32.store (i32.const 4) (local.get $size))
    (drop (call $fd_write (local.get $fd) (i32.const 0) (i32.const 1) (i32.const 8))))
  (func $write_line (param $address i32) (param $size i32)
    (call $write (i32.const 2) (local.get $address) (local.get $size))
    (call $write (i32.const 2) (i32.const 72) (i32.const 1)))
  (func $show_words
    (drop (call $args_sizes_get (i32.const 16) (i32.const 20)))
    (drop (call $args_get (i32.const 1024) (i32.const 4096)))
    (call $write_line (i32.const 4096) (i32.load (i32.const 20)))
    (drop (call $environ_sizes_get (i32.const 16) (i32.const 20)))
    (drop (call $environ_get (i32.const 1024) (i32.const 4096)))
    (call $write_line (i32.const 4096) (i32.load (i32.const 20))))
  (func $open (result i32)
    (if (call $fd_prestat_get (i32.const 3) (i32.const 16)) (then (return (i32.const 0))))
    (drop (call $fd_prestat_dir_name (i32.const 3) (i32.const 4096) (i32.load (i32.const 20))))
    (call $write_line (i32.const 4096) (i32.load (i32.const 20)))
    (drop (call $path_open (i32.const 3) (i32.const 0) (i32.const 64) (i32.const 5) (i32.const 0)
      (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 24)))
    (i32.load (i32.const 24)))
  (func $copy (param $fd i32)
    (local $size i32)
    (loop $next
      (i32.store (i32.const 0) (i32.const 65536))
      (i32.store (i32.const 4) (i32.const 65536))
      (drop (call $fd_read (local.get $fd) (i32.const 0) (i32.const 1) (i32.const 8)))
      (local.set $size (i32.load (i32.const 8)))
      (if (local.get $size)
        (then
          (call $write (i32.const 1) (i32.const 65536) (local.get $size))
          (br $next)))))
  (func (export "_start")
    (call $show_words)
    (call $copy (call $open))
    (call $proc_exit (i32.const 7))))`;

/** Calls leaf, then ends as `end` says, three frames deep. */
const ending = (end) => `(module
  ${exit}
  (memory (export "memory") 1)
  (func $leaf)
  (func $deep (call $leaf) ${end})
  (func $middle (call $deep) (call $leaf))
  (func (export "_start") (call $middle)))`;

export const returns = ending('');
export const exits = ending('(call $proc_exit (i32.const 3))');
export const traps = ending('unreachable');

/** Traps before _start is called. */
export const trapsFirst = `(module
  (memory (export "memory") 1)
  (func $initialize unreachable)
  (func (export "_start"))
  (start $initialize))`;

export const throws = `(module
  (tag $error)
  (memory (export "memory") 1)
  (func (export "_start") (throw $error)))`;

/** For the WASI of before preview 1. */
export const unstable = exits.replace('wasi_snapshot_preview1', 'wasi_unstable');

/** Calls itself without end. */
export const overflows = `(module
  (memory (export "memory") 1)
  (func $deeper (param i32) (result i32)
    (i32.add (call $deeper (local.get 0)) (i32.const 1)))
  (func (export "_start") (drop (call $deeper (i32.const 0)))))`;

/** Writes a line, then never ends. */
export const loops = `(module
  ${wasi('fd_write', 'i32 i32 i32 i32')}
  (memory (export "memory") 1)
  (data (i32.const 0) "\\10\\00\\00\\00\\08\\00\\00\\00")
  (data (i32.const 16) "running\\n")
  (func (export "_start")
    (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
    (loop $forever (br $forever))))`;
