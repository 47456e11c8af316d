;; options: --embed --clock none --only main --only counted
;; A command of WASI: the profile is written at its end, where it aborts, and where it exits.
;; Functions without hooks count nothing.
(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (func $counted (if (i32.eqz (memory.size)) (then (unreachable))))
  (func $bare (call $exit (i32.const 3)))
  (func $main (export "_start") (call $counted) (call $bare)))
