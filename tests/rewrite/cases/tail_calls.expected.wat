(module
  (type $f (;0;) (func (param i32) (result i32)))
  (type (;1;) (func (param i32 (ref $f)) (result i32)))
  (type (;2;) (func (param i32)))
  (type (;3;) (func))
  (import "env" "host" (func $host (;0;) (type $f)))
  (import "wasm_perf" "perf_start" (func $perf_start (;1;) (type 2)))
  (import "wasm_perf" "perf_end" (func $perf_end (;2;) (type 3)))
  (table (;0;) 2 2 funcref)
  (elem (;0;) (table 0) (i32.const 0) func $direct $indirect)
  (func $direct (;3;) (type $f) (param i32) (result i32)
    i32.const 3
    call $perf_start
    local.get 0
    call $perf_end
    return_call $indirect
    call $perf_end
  )
  (func $indirect (;4;) (type $f) (param i32) (result i32)
    i32.const 4
    call $perf_start
    local.get 0
    i32.const 0
    call $perf_end
    return_call_indirect (type $f)
    call $perf_end
  )
  (func $by_reference (;5;) (type 1) (param i32 (ref $f)) (result i32)
    i32.const 5
    call $perf_start
    local.get 0
    local.get 1
    call $perf_end
    return_call_ref $f
    call $perf_end
  )
  (func $to_host (;6;) (type $f) (param i32) (result i32)
    i32.const 6
    call $perf_start
    local.get 0
    call $perf_end
    return_call $host
    call $perf_end
  )
  (func $conditional (;7;) (type $f) (param i32) (result i32)
    i32.const 7
    call $perf_start
    block (result i32) ;; label = @1
      i32.const 1
      local.get 0
      br_if 0 (;@1;)
      drop
      i32.const 2
      call $perf_end
      return_call $direct
    end
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\01\02\05\05 min-instructions=0 skip-leaves=0")
)
