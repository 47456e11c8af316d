(module
  (type (;0;) (func))
  (type (;1;) (func (param i32)))
  (type (;2;) (func (param i32)))
  (type (;3;) (func))
  (type (;4;) (func (result i32)))
  (import "env" "f" (func $f (;0;) (type 0)))
  (import "wasm_perf" "perf_start" (func $perf_start (;1;) (type 1)))
  (import "wasm_perf" "perf_end" (func $perf_end (;2;) (type 0)))
  (import "outer" "perf_start" (func $"#func3 perf_start" (@name "perf_start") (;3;) (type 2)))
  (import "outer" "perf_end" (func $"#func4 perf_end" (@name "perf_end") (;4;) (type 3)))
  (import "outer" "perf_depth" (func $perf_depth (;5;) (type 4)))
  (import "outer" "perf_unwind" (func $perf_unwind (;6;) (type 2)))
  (func $g (;7;) (type 0)
    (local i32)
    i32.const 7
    call $"#func3 perf_start"
    call $perf_depth
    local.set 0
    i32.const 3
    call $perf_start
    call $f
    local.get 0
    call $perf_unwind
    call $perf_end
    call $"#func4 perf_end"
  )
  (@custom "wasm_instrument" (after code) "\01\050.1.0\04wall\09wasm_perf\01\02\01\01\00")
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\05outer\03\04\01\01&min-instructions=0 skip-leaves=0 force")
)
