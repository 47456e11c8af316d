(module
  (type (;0;) (func))
  (type (;1;) (func (param i32)))
  (type (;2;) (func (param i32)))
  (type (;3;) (func))
  (type (;4;) (func (result i32)))
  (import "env" "f" (func $f (;0;) (type 0)))
  (import "wasm_perf" "perf_start" (func $perf_start (;1;) (type 2)))
  (import "wasm_perf" "perf_end" (func $perf_end (;2;) (type 3)))
  (import "wasm_perf" "perf_depth" (func $perf_depth (;3;) (type 4)))
  (import "wasm_perf" "perf_unwind" (func $perf_unwind (;4;) (type 2)))
  (func $hinted (;5;) (type 1) (param i32)
    (local i32)
    i32.const 5
    call $perf_start
    call $perf_depth
    local.set 1
    block ;; label = @1
      call $f
      local.get 1
      call $perf_unwind
      local.get 0
      (@metadata.code.branch_hint "\00")
      if ;; label = @2
        i32.const 0
        call $hinted
      end
      local.get 0
      (@metadata.code.branch_hint "\01")
      br_if 0 (;@1;)
    end
    call $perf_end
  )
  (func $not_hinted (;6;) (type 1) (param i32)
    i32.const 6
    call $perf_start
    block ;; label = @1
      local.get 0
      br_if 0 (;@1;)
    end
    call $perf_end
  )
  (func $plain (;7;) (type 1) (param i32)
    i32.const 7
    call $perf_start
    local.get 0
    (@metadata.code.branch_hint "\01")
    if ;; label = @1
    end
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\01\04\03\03 min-instructions=0 skip-leaves=0")
)
