(module
  (type (;0;) (func (param i32)))
  (type (;1;) (func))
  (type (;2;) (func (result i32)))
  (type (;3;) (func (param i32)))
  (type (;4;) (func))
  (type (;5;) (func (result i32)))
  (import "wasm_perf" "perf_start" (func $perf_start (;0;) (type 3)))
  (import "wasm_perf" "perf_end" (func $perf_end (;1;) (type 4)))
  (import "wasm_perf" "perf_depth" (func $perf_depth (;2;) (type 5)))
  (import "wasm_perf" "perf_unwind" (func $perf_unwind (;3;) (type 3)))
  (tag $e (;0;) (type 0) (param i32))
  (func $throws (;4;) (type 1)
    i32.const 4
    call $perf_start
    i32.const 1
    throw $e
    call $perf_end
  )
  (func $catches (;5;) (type 2) (result i32)
    (local i32)
    i32.const 5
    call $perf_start
    call $perf_depth
    local.set 0
    try (result i32) ;; label = @1
      call $throws
      i32.const 0
    catch $e
      local.get 0
      call $perf_unwind
    catch_all
      local.get 0
      call $perf_unwind
      i32.const 2
    end
    call $perf_end
  )
  (func $delegates_to_function (;6;) (type 1)
    i32.const 6
    call $perf_start
    try ;; label = @1
      call $throws
    delegate 0
    call $perf_end
  )
  (func $delegates_to_try (;7;) (type 1)
    (local i32)
    i32.const 7
    call $perf_start
    call $perf_depth
    local.set 0
    try $outer
      try ;; label = @2
        call $throws
      delegate $outer
    catch_all
      local.get 0
      call $perf_unwind
    end
    call $perf_end
  )
  (func $rethrows (;8;) (type 1)
    (local i32)
    i32.const 8
    call $perf_start
    call $perf_depth
    local.set 0
    try ;; label = @1
      call $throws
    catch $e
      local.get 0
      call $perf_unwind
      drop
      rethrow 0 (;@1;)
    end
    call $perf_end
  )
  (func $leaves_from_catch (;9;) (type 2) (result i32)
    (local i32)
    i32.const 9
    call $perf_start
    call $perf_depth
    local.set 0
    try ;; label = @1
      call $throws
    catch $e
      local.get 0
      call $perf_unwind
      call $perf_end
      return
    end
    i32.const 3
    call $perf_end
  )
  (func $branches_from_try (;10;) (type 0) (param i32)
    (local i32)
    i32.const 10
    call $perf_start
    call $perf_depth
    local.set 1
    block ;; label = @1
      try ;; label = @2
        local.get 0
        br_if 1 (;@1;)
        call $throws
      catch_all
        local.get 1
        call $perf_unwind
        br 1 (;@1;)
      end
    end
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\00\04\07\07 min-instructions=0 skip-leaves=0")
)
