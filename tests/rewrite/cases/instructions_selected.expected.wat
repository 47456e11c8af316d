(module
  (type (;0;) (func))
  (type (;1;) (func (param i32 i64)))
  (type (;2;) (func (param i64)))
  (import "env" "imported" (global (;0;) i64))
  (import "wasm_perf" "perf_start_at" (func $perf_start_at (;0;) (type 1)))
  (import "wasm_perf" "perf_end_at" (func $perf_end_at (;1;) (type 2)))
  (global $own (;1;) (mut i32) i32.const 5)
  (global (;2;) (mut i64) i64.const 0)
  (func $hooked (;2;) (type 0)
    (local i64)
    i32.const 2
    global.get 2
    local.tee 0
    call $perf_start_at
    local.get 0
    i64.const 1
    i64.add
    local.set 0
    local.get 0
    global.set 2
    call $plain
    global.get 2
    local.set 0
    local.get 0
    global.set 2
    local.get 0
    call $perf_end_at
  )
  (func $plain (;3;) (type 0)
    (local i64)
    global.get 2
    local.set 0
    i32.const 6
    global.set $own
    local.get 0
    i64.const 2
    i64.add
    local.set 0
    local.get 0
    global.set 2
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\0cinstructions\09wasm_perf\00\02\02\01*min-instructions=0 skip-leaves=0 selection")
)
