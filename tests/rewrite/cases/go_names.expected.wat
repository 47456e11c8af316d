(module
  (type (;0;) (func))
  (type (;1;) (func (param i32)))
  (type (;2;) (func))
  (type (;3;) (func (result i32)))
  (import "go" "wait" (func (;0;) (type 0)))
  (import "wasm_perf" "perf_start" (func $perf_start (;1;) (type 1)))
  (import "wasm_perf" "perf_end" (func $perf_end (;2;) (type 2)))
  (import "wasm_perf" "perf_depth" (func $perf_depth (;3;) (type 3)))
  (import "wasm_perf" "perf_unwind" (func $perf_unwind (;4;) (type 1)))
  (table (;0;) 4098 funcref)
  (memory (;0;) 1)
  (elem (;0;) (i32.const 4096) func $main.main $"main.(*T[int]).F")
  (func $main.main (;5;) (type 0)
    i32.const 5
    call $perf_start
    call $"main.(*T[int]).F"
    call $perf_end
  )
  (func $"main.(*T[int]).F" (;6;) (type 0)
    (local i32)
    i32.const 6
    call $perf_start
    call $perf_depth
    local.set 0
    call 0
    local.get 0
    call $perf_unwind
    call $perf_end
  )
  (data (;0;) (i32.const 1024) "\f1\ff\ff\ff\00\00\01\08\02\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00H\00\00\00\00\00\00\00\80\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\88\00\00\00\00\00\00\00")
  (data (;1;) (i32.const 1096) "main.main\00main.(*T[int]).F\00")
  (data (;2;) (i32.const 1160) "\00\10\00\00\18\00\00\00\01\10\00\00 \00\00\00\02\10\00\00\00\00\00\00\00\10\00\00\00\00\00\00\01\10\00\00\0a\00\00\00")
  (@custom "wasm_instrument" (after data) "\01\051.0.0\04wall\09wasm_perf\01\04\02\02 min-instructions=0 skip-leaves=0")
)
