;; stderr: wasm-instrument: in.wasm: warning: debug information: 1 malformed part of .debug_info dropped (truncated number)
;; stderr: wasm-instrument: in.wasm: warning: dropped, because the code moved: metadata.code.call_targets, build_id, .debug_info, sourceMappingURL
(module
  (@custom "unknown" (before first) "kept")
  (type (;0;) (func))
  (type (;1;) (func (param i32)))
  (type (;2;) (func))
  (import "env" "f" (func (;0;) (type 0)))
  (import "wasm_perf" "perf_start" (func (;1;) (type 1)))
  (import "wasm_perf" "perf_end" (func (;2;) (type 2)))
  (export "f" (func 3))
  (func (;3;) (type 0)
    i32.const 3
    call 1
    call 2
  )
  (@custom "llvm.func_attr.annotate.hot" (after code) "\00\00\00\00\03\00\00\00")
  (@custom "target_features" (after code) "\01+\04simd")
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\01\02\01\01 min-instructions=0 skip-leaves=0")
)
