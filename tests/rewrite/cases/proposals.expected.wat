(module
  (type (;0;) (func (param i64 i64) (result i64 i64)))
  (type (;1;) (func (result i64 i64)))
  (type (;2;) (func (param i32)))
  (type (;3;) (func))
  (import "wasm_perf" "perf_start" (func $perf_start (;0;) (type 2)))
  (import "wasm_perf" "perf_end" (func $perf_end (;1;) (type 3)))
  (memory (;0;) 0 (pagesize 0x1))
  (func $wide (;2;) (type 0) (param i64 i64) (result i64 i64)
    i32.const 2
    call $perf_start
    block (type 1) (result i64 i64) ;; label = @1
      local.get 0
      local.get 1
      i64.mul_wide_u
      i32.const 1
      br_if 0 (;@1;)
    end
    call $perf_end
  )
  (func $sum (;3;) (type 1) (result i64 i64)
    i32.const 3
    call $perf_start
    i64.const 1
    i64.const 2
    i64.const 3
    i64.const 4
    i64.add128
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\00\02\02\02 min-instructions=0 skip-leaves=0")
)
