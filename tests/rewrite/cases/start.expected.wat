(module
  (type (;0;) (func))
  (type (;1;) (func (param i32)))
  (type (;2;) (func))
  (import "wasm_perf" "perf_start" (func $perf_start (;0;) (type 1)))
  (import "wasm_perf" "perf_end" (func $perf_end (;1;) (type 2)))
  (global $g (;0;) (mut i32) i32.const 0)
  (export "g" (global $g))
  (start $init)
  (func $unused (;2;) (type 0)
    i32.const 2
    call $perf_start
    call $perf_end
  )
  (func $init (;3;) (type 0)
    i32.const 3
    call $perf_start
    i32.const 1
    global.set $g
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\00\02\02\02 min-instructions=0 skip-leaves=0")
)
