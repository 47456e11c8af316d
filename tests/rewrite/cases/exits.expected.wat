(module
  (type (;0;) (func))
  (type (;1;) (func (param i32) (result i32)))
  (type (;2;) (func (result i32)))
  (type (;3;) (func (param i32)))
  (type (;4;) (func (param i32)))
  (type (;5;) (func))
  (import "wasm_perf" "perf_start" (func $perf_start (;0;) (type 4)))
  (import "wasm_perf" "perf_end" (func $perf_end (;1;) (type 5)))
  (func $falls_through (;2;) (type 0)
    i32.const 2
    call $perf_start
    nop
    call $perf_end
  )
  (func $returns (;3;) (type 1) (param i32) (result i32)
    i32.const 3
    call $perf_start
    local.get 0
    if ;; label = @1
      i32.const 1
      call $perf_end
      return
    end
    i32.const 2
    call $perf_end
  )
  (func $branches_out (;4;) (type 2) (result i32)
    i32.const 4
    call $perf_start
    block ;; label = @1
      i32.const 7
      call $perf_end
      br 1
    end
    unreachable
    call $perf_end
  )
  (func $branches_inside (;5;) (type 0)
    i32.const 5
    call $perf_start
    block ;; label = @1
      br 0 (;@1;)
    end
    call $perf_end
  )
  (func $dead_code (;6;) (type 2) (result i32)
    i32.const 6
    call $perf_start
    i32.const 1
    call $perf_end
    return
    i32.const 2
    call $perf_end
    return
    call $perf_end
  )
  (func $traps (;7;) (type 0)
    i32.const 7
    call $perf_start
    unreachable
    call $perf_end
  )
  (func $loops (;8;) (type 3) (param i32)
    i32.const 8
    call $perf_start
    loop $again
      local.get 0
      i32.const 1
      i32.sub
      local.set 0
      local.get 0
      br_if $again
    end
    call $perf_end
  )
  (func $calls (;9;) (type 0)
    i32.const 9
    call $perf_start
    call $falls_through
    call $branches_out
    drop
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\00\02\08\08 min-instructions=0 skip-leaves=0")
)
