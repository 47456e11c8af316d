;; options: --flush --exclude *
(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (func $start (export "_start") (param) (local i32)
    (br_if 0 (local.get 0))
    (call $exit))
  (func $exit (call $proc_exit (i32.const 3))))
