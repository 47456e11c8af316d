;; options: --flush
;; The runtime writes the profile when _start ends and before proc_exit, also in functions
;; without hooks.
(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (import "env" "other" (func $other))
  (func $start (export "_start") (param) (local i32)
    (if (local.get 0) (then (return)))
    (br_if 0 (local.get 0))
    (call $other)
    (call $proc_exit (i32.const 3)))
  (func $tail (param i32) (return_call $proc_exit (local.get 0))))
