(module
  (type (;0;) (func))
  (type (;1;) (func (param i32)))
  (type (;2;) (func))
  (import "env" "f" (func $f (;0;) (type 0)))
  (import "wasm_perf" "perf_start" (func $perf_start (;1;) (type 1)))
  (import "wasm_perf" "perf_end" (func $perf_end (;2;) (type 2)))
  (export "also_by_export" (func 7))
  (func $a (;3;) (type 0)
    i32.const 3
    call $perf_start
    call $b
    call $perf_end
  )
  (func $b (;4;) (type 0)
    call $a
    call $f
  )
  (func $ar (;5;) (type 0))
  (func $by_index (;6;) (type 0)
    i32.const 6
    call $perf_start
    call $perf_end
  )
  (func (;7;) (type 0)
    i32.const 7
    call $perf_start
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\050.1.0\04wall\09wasm_perf\01\02*min-instructions=0 skip-leaves=0 selection")
)
