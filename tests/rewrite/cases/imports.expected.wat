(module
  (type (;0;) (func (param i32)))
  (type (;1;) (func (result i32)))
  (type (;2;) (func))
  (type (;3;) (func (param i32) (result i32)))
  (type (;4;) (func (param i32)))
  (type (;5;) (func))
  (type (;6;) (func (result i32)))
  (import "env" "memory" (memory (;0;) 1))
  (import "env" "log" (func $log (;0;) (type 0)))
  (import "env" "global" (global $g (;0;) i32))
  (import "env" "get" (func $get (;1;) (type 1)))
  (import "wasm_perf" "perf_start" (func $perf_start (;2;) (type 4)))
  (import "wasm_perf" "perf_end" (func $perf_end (;3;) (type 5)))
  (import "wasm_perf" "perf_depth" (func $perf_depth (;4;) (type 6)))
  (import "wasm_perf" "perf_unwind" (func $perf_unwind (;5;) (type 4)))
  (export "reexported" (func $log))
  (export "memory" (memory 0))
  (export "own" (func $own))
  (export "global" (global $g))
  (func $own (;6;) (type 0) (param i32)
    (local i64 i64 i32)
    i32.const 6
    call $perf_start
    call $perf_depth
    local.set 3
    call $get
    local.get 3
    call $perf_unwind
    local.get 0
    i32.add
    call $log
    local.get 3
    call $perf_unwind
    call $perf_end
  )
  (func $without_imports (;7;) (type 2)
    i32.const 7
    call $perf_start
    i32.const 1
    call $own
    call $perf_end
  )
  (func $conditional (;8;) (type 3) (param i32) (result i32)
    (local i32)
    i32.const 8
    call $perf_start
    call $perf_depth
    local.set 1
    block (result i32) ;; label = @1
      call $get
      local.get 1
      call $perf_unwind
      local.get 0
      br_if 0 (;@1;)
      call $log
      local.get 1
      call $perf_unwind
      i32.const 0
    end
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\02\04\03\03 min-instructions=0 skip-leaves=0")
)
