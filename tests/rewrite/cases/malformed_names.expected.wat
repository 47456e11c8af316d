;; stderr: wasm-instrument: in.wasm: warning: the custom section 'name' is malformed and was dropped
(module
  (type (;0;) (func))
  (type (;1;) (func (param i32)))
  (type (;2;) (func))
  (import "wasm_perf" "perf_start" (func (;0;) (type 1)))
  (import "wasm_perf" "perf_end" (func (;1;) (type 2)))
  (export "f" (func 2))
  (func (;2;) (type 0)
    i32.const 2
    call 0
    call 1
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\00\02\01\01 min-instructions=0 skip-leaves=0")
)
