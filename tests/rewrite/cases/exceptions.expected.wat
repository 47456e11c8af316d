(module
  (type (;0;) (func (param i32)))
  (type (;1;) (func))
  (type (;2;) (func (result i32)))
  (type (;3;) (func (param i32) (result exnref)))
  (type (;4;) (func (result i32 exnref)))
  (type (;5;) (func (param i32)))
  (type (;6;) (func))
  (type (;7;) (func (result i32)))
  (import "wasm_perf" "perf_start" (func $perf_start (;0;) (type 5)))
  (import "wasm_perf" "perf_end" (func $perf_end (;1;) (type 6)))
  (import "wasm_perf" "perf_depth" (func $perf_depth (;2;) (type 7)))
  (import "wasm_perf" "perf_unwind" (func $perf_unwind (;3;) (type 5)))
  (tag $e (;0;) (type 0) (param i32))
  (func $throws (;4;) (type 1)
    i32.const 4
    call $perf_start
    i32.const 1
    throw $e
    call $perf_end
  )
  (func $to_block (;5;) (type 2) (result i32)
    (local i32)
    i32.const 5
    call $perf_start
    call $perf_depth
    local.set 0
    block $h (result i32)
      try_table (catch $e $h) ;; label = @2
        call $throws
      end
      i32.const 0
    end
    local.get 0
    call $perf_unwind
    call $perf_end
  )
  (func $to_loop (;6;) (type 0) (param i32)
    (local i32)
    i32.const 6
    call $perf_start
    call $perf_depth
    local.set 1
    block $done
      loop $again
        local.get 1
        call $perf_unwind
        local.get 0
        br_if $done
        try_table (catch_all $again) ;; label = @3
          call $throws
        end
      end
    end
    call $perf_end
  )
  (func $to_loop_with_parameter (;7;) (type 1)
    (local i32)
    i32.const 7
    call $perf_start
    call $perf_depth
    local.set 0
    i32.const 5
    loop $again (type 0) (param i32)
      local.get 0
      call $perf_unwind
      drop
      try_table (catch $e $again) ;; label = @2
        call $throws
      end
    end
    call $perf_end
  )
  (func $to_function (;8;) (type 2) (result i32)
    (local i32)
    i32.const 8
    call $perf_start
    call $perf_depth
    local.set 0
    block (result i32) ;; label = @1
      try_table (catch $e 0 (;@1;)) ;; label = @2
        call $throws
      end
      i32.const 4
    end
    local.get 0
    call $perf_unwind
    call $perf_end
  )
  (func $to_if (;9;) (type 3) (param i32) (result exnref)
    (local i32)
    i32.const 9
    call $perf_start
    call $perf_depth
    local.set 1
    local.get 0
    if $h (result exnref)
      try_table (catch_all_ref $h) ;; label = @2
        call $throws
      end
      ref.null exn
    else
      ref.null exn
    end
    local.get 1
    call $perf_unwind
    call $perf_end
  )
  (func $with_reference (;10;) (type 1)
    (local i32)
    i32.const 10
    call $perf_start
    call $perf_depth
    local.set 0
    block $h (type 4) (result i32 exnref)
      try_table (catch_ref $e $h) ;; label = @2
        call $throws
      end
      call $perf_end
      return
    end
    local.get 0
    call $perf_unwind
    throw_ref
    call $perf_end
  )
  (func $both_landing_pads_once (;11;) (type 2) (result i32)
    (local i32)
    i32.const 11
    call $perf_start
    call $perf_depth
    local.set 0
    block $h (result i32)
      try_table (catch $e $h) ;; label = @2
        call $throws
      end
      try_table (catch $e $h) ;; label = @2
        call $throws
      end
      i32.const 0
    end
    local.get 0
    call $perf_unwind
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\00\04\08\08 min-instructions=0 skip-leaves=0")
)
