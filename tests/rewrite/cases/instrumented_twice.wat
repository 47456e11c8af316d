;; options: --force --import-module outer
;; The hooks of the first run are imports, but no host function: nothing is unwound after them.
(module
  (import "env" "f" (func $f))
  (import "wasm_perf" "perf_start" (func $perf_start (param i32)))
  (import "wasm_perf" "perf_end" (func $perf_end))
  (func $g (call $perf_start (i32.const 3)) (call $f) (call $perf_end))
  (@custom "wasm_instrument" (after data) "\01\050.1.0\04wall\09wasm_perf\01\02\01\01\00"))
