;; stderr: wasm-instrument: in.wasm: warning: the custom section 'metadata.code.branch_hint' is malformed and was dropped
(module
  (type (;0;) (func (param i32)))
  (type (;1;) (func (param i32)))
  (type (;2;) (func))
  (import "wasm_perf" "perf_start" (func $perf_start (;0;) (type 1)))
  (import "wasm_perf" "perf_end" (func $perf_end (;1;) (type 2)))
  (func $f (;2;) (type 0) (param i32)
    i32.const 2
    call $perf_start
    block ;; label = @1
      local.get 0
      br_if 0 (;@1;)
    end
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\00\02\01\01 min-instructions=0 skip-leaves=0")
)
