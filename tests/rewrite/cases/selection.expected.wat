(module
  (type (;0;) (func))
  (type (;1;) (func (param i32)))
  (type (;2;) (func))
  (type (;3;) (func (result i32)))
  (import "env" "f" (func $f (;0;) (type 0)))
  (import "wasm_perf" "perf_start" (func $perf_start (;1;) (type 1)))
  (import "wasm_perf" "perf_end" (func $perf_end (;2;) (type 2)))
  (import "wasm_perf" "perf_depth" (func $perf_depth (;3;) (type 3)))
  (import "wasm_perf" "perf_unwind" (func $perf_unwind (;4;) (type 1)))
  (export "also_by_export" (func 9))
  (func $a (;5;) (type 0)
    i32.const 5
    call $perf_start
    call $b
    call $perf_end
  )
  (func $b (;6;) (type 0)
    (local i32)
    call $a
    call $perf_depth
    local.set 0
    call $f
    local.get 0
    call $perf_unwind
  )
  (func $ar (;7;) (type 0))
  (func $by_index (;8;) (type 0)
    i32.const 8
    call $perf_start
    call $perf_end
  )
  (func (;9;) (type 0)
    i32.const 9
    call $perf_start
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\01\04\05\03*min-instructions=0 skip-leaves=0 selection")
)
