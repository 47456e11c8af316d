(module
  (type (;0;) (func))
  (type (;1;) (func (param i32)))
  (type (;2;) (func))
  (import "my_profiler" "perf_start" (func $perf_start (;0;) (type 1)))
  (import "my_profiler" "perf_end" (func $perf_end (;1;) (type 2)))
  (func $one (;2;) (type 0)
    nop
  )
  (func $two (;3;) (type 0)
    i32.const 3
    call $perf_start
    nop
    nop
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04none\0bmy_profiler\00\02\02\01 min-instructions=2 skip-leaves=0")
)
