(module
  (type (;0;) (func))
  (type (;1;) (func (param i32) (result i32)))
  (type (;2;) (func (result i32)))
  (type (;3;) (func (param i32 i64)))
  (type (;4;) (func (param i64)))
  (import "env" "host" (func $host (;0;) (type 0)))
  (import "wasm_perf" "perf_depth" (func $perf_depth (;1;) (type 2)))
  (import "wasm_perf" "perf_start_at" (func $perf_start_at (;2;) (type 3)))
  (import "wasm_perf" "perf_end_at" (func $perf_end_at (;3;) (type 4)))
  (import "wasm_perf" "perf_unwind_at" (func $perf_unwind_at (;4;) (type 3)))
  (tag $e (;0;) (type 0))
  (global (;0;) (mut i64) i64.const 0)
  (func $leaf (;5;) (type 1) (param i32) (result i32)
    (local i64)
    i32.const 5
    global.get 0
    local.tee 1
    call $perf_start_at
    local.get 0
    i32.const 1
    i32.add
    local.get 1
    i64.const 3
    i64.add
    local.set 1
    local.get 1
    global.set 0
    local.get 1
    call $perf_end_at
  )
  (func $branches (;6;) (type 1) (param i32) (result i32)
    (local i64)
    i32.const 6
    global.get 0
    local.tee 1
    call $perf_start_at
    block (result i32) ;; label = @1
      i32.const 1
      local.get 0
      local.get 1
      i64.const 3
      i64.add
      local.set 1
      br_if 0 (;@1;)
      drop
      block $untargeted
        nop
      end
      block $targeted
        local.get 0
        local.get 1
        i64.const 6
        i64.add
        local.set 1
        br_if $targeted
        nop
        local.get 1
        i64.const 1
        i64.add
        local.set 1
      end
      local.get 0
      local.get 1
      i64.const 2
      i64.add
      local.set 1
      if ;; label = @2
        nop
        local.get 1
        i64.const 1
        i64.add
        local.set 1
      else
        i32.const 2
        local.get 1
        i64.const 2
        i64.add
        local.set 1
        local.get 1
        global.set 0
        local.get 1
        call $perf_end_at
        return
      end
      local.get 1
      i64.const 1
      i64.add
      local.set 1
      loop $l
        i32.const 0
        local.get 1
        i64.const 2
        i64.add
        local.set 1
        br_if $l
      end
      i32.const 3
      local.get 1
      i64.const 2
      i64.add
      local.set 1
      local.get 1
      global.set 0
      call $leaf
      global.get 0
      local.set 1
    end
    local.get 1
    global.set 0
    local.get 1
    call $perf_end_at
  )
  (func $calls (;7;) (type 0)
    (local i32 i64)
    i32.const 7
    global.get 0
    local.tee 1
    call $perf_start_at
    call $perf_depth
    local.set 0
    local.get 1
    i64.const 1
    i64.add
    local.set 1
    local.get 1
    global.set 0
    call $host
    global.get 0
    local.set 1
    local.get 0
    local.get 1
    call $perf_unwind_at
    i32.const 1
    local.get 1
    i64.const 2
    i64.add
    local.set 1
    local.get 1
    global.set 0
    call $leaf
    global.get 0
    local.set 1
    drop
    local.get 1
    i64.const 1
    i64.add
    local.set 1
    local.get 1
    global.set 0
    local.get 1
    call $perf_end_at
  )
  (func $catches (;8;) (type 0)
    (local i32 i64)
    i32.const 8
    global.get 0
    local.tee 1
    call $perf_start_at
    call $perf_depth
    local.set 0
    block $h
      try_table (catch_all $h) ;; label = @2
        local.get 1
        i64.const 3
        i64.add
        local.tee 1
        global.set 0
        call $host
        global.get 0
        local.set 1
        local.get 0
        local.get 1
        call $perf_unwind_at
        local.get 1
        i64.const 1
        i64.add
        local.tee 1
        global.set 0
        throw $e
      end
    end
    global.get 0
    local.set 1
    local.get 0
    local.get 1
    call $perf_unwind_at
    local.get 1
    global.set 0
    local.get 1
    call $perf_end_at
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\0cinstructions\09wasm_perf\01\04\04\04 min-instructions=0 skip-leaves=0")
)
