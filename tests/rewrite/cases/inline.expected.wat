(module
  (type (;0;) (func (param i32)))
  (type (;1;) (func (param i32) (result i32)))
  (type (;2;) (func (param i32 i32 i32) (result i32)))
  (type (;3;) (func (param i32 i64)))
  (type (;4;) (func (param i32)))
  (type (;5;) (func (param i32) (result i32)))
  (type (;6;) (func))
  (import "env" "log" (func $log (;0;) (type 0)))
  (import "wasm_perf" "perf_enter" (func $perf_enter (;1;) (type 2)))
  (import "wasm_perf" "perf_cell" (func $perf_cell (;2;) (type 3)))
  (import "wasm_perf" "perf_current" (func $perf_current (;3;) (type 4)))
  (memory (;0;) 1)
  (memory (;1;) 1 32768)
  (global $total (;0;) (mut i32) i32.const 0)
  (global (;1;) (mut i32) i32.const 2240)
  (export "memory" (memory 0))
  (export "run" (func $run))
  (export "wasm_perf_unwind" (func $wasm_perf_unwind))
  (export "wasm_perf_sync" (func $wasm_perf_sync))
  (export "wasm_perf_reset" (func $wasm_perf_reset))
  (export "wasm_perf_current" (global 1))
  (export "wasm_perf_memory" (memory 1))
  (func $leaf (;4;) (type 1) (param i32) (result i32)
    (local i32 i32)
    global.get 1
    local.tee 2
    i32.const 0
    i32.shr_u
    i32.const 24
    i32.and
    local.tee 1
    i32.load 1 offset=2176
    local.get 2
    i32.eq
    if (result i32) ;; label = @1
      local.get 1
      i32.load 1 offset=2180
    else
      i32.const 4
      call $wasm_perf_enter
    end
    local.tee 1
    global.set 1
    local.get 1
    local.get 1
    i64.load 1
    i64.const 1
    i64.add
    i64.store 1
    local.get 0
    i32.load
    local.get 2
    global.set 1
  )
  (func $run (;5;) (type 1) (param i32) (result i32)
    (local i32 i32)
    global.get 1
    local.tee 2
    i32.const 0
    i32.shr_u
    i32.const 24
    i32.and
    local.tee 1
    i32.load 1 offset=2208
    local.get 2
    i32.eq
    if (result i32) ;; label = @1
      local.get 1
      i32.load 1 offset=2212
    else
      i32.const 5
      call $wasm_perf_enter
    end
    local.tee 1
    global.set 1
    local.get 1
    local.get 1
    i64.load 1
    i64.const 1
    i64.add
    i64.store 1
    local.get 0
    i32.eqz
    if $named
      i32.const -1
      local.get 2
      global.set 1
      return
    end
    local.get 0
    i32.const 0
    call $wasm_perf_start
    call $log
    local.get 1
    global.set 1
    local.get 0
    call $leaf
    global.set $total
    global.get $total
    local.get 2
    global.set 1
  )
  (func $wasm_perf_enter (;6;) (type 5) (param i32) (result i32)
    (local i32 i32)
    memory.size 1
    i32.const 16
    i32.shl
    i32.const 2240
    i32.sub
    i32.const 3
    i32.shr_u
    local.set 1
    global.get 1
    i32.const 2240
    i32.sub
    i32.const 3
    i32.shr_u
    local.get 0
    local.get 1
    call $perf_enter
    local.tee 2
    i32.const 0
    i32.lt_s
    if ;; label = @1
      local.get 2
      i32.const -1
      i32.xor
      i32.const 3
      i32.shl
      i32.const 2240
      i32.add
      return
    end
    local.get 2
    i32.const 2
    i32.add
    local.get 1
    i32.ge_u
    if ;; label = @1
      i32.const 16
      memory.grow 1
      drop
    end
    local.get 0
    i32.const 5
    i32.shl
    global.get 1
    i32.const 0
    i32.shr_u
    i32.const 24
    i32.and
    i32.add
    global.get 1
    i32.store 1 offset=2048
    local.get 0
    i32.const 5
    i32.shl
    global.get 1
    i32.const 0
    i32.shr_u
    i32.const 24
    i32.and
    i32.add
    local.get 2
    i32.const 3
    i32.shl
    i32.const 2240
    i32.add
    local.tee 2
    i32.store 1 offset=2052
    local.get 2
  )
  (func $wasm_perf_start (;7;) (type 4) (param i32)
    (local i32)
    local.get 0
    i32.const 5
    i32.shl
    global.get 1
    i32.const 0
    i32.shr_u
    i32.const 24
    i32.and
    i32.add
    i32.load 1 offset=2048
    global.get 1
    i32.eq
    if (result i32) ;; label = @1
      local.get 0
      i32.const 5
      i32.shl
      global.get 1
      i32.const 0
      i32.shr_u
      i32.const 24
      i32.and
      i32.add
      i32.load 1 offset=2052
    else
      local.get 0
      call $wasm_perf_enter
    end
    local.tee 1
    global.set 1
    local.get 1
    local.get 1
    i64.load 1
    i64.const 1
    i64.add
    i64.store 1
  )
  (func $wasm_perf_unwind (;8;) (type 4) (param i32)
    local.get 0
    global.set 1
  )
  (func $wasm_perf_sync (;9;) (type 6)
    (local i32)
    global.get 1
    call $wasm_perf_unwind
    i32.const 2240
    local.set 0
    loop ;; label = @1
      local.get 0
      i32.const 2240
      i32.sub
      i32.const 3
      i32.shr_u
      local.get 0
      i64.load 1
      call $perf_cell
      local.get 0
      i32.const 1
      i32.const 3
      i32.shl
      i32.add
      local.tee 0
      memory.size 1
      i32.const 16
      i32.shl
      i32.lt_u
      br_if 0 (;@1;)
    end
    global.get 1
    i32.const 2240
    i32.sub
    i32.const 3
    i32.shr_u
    call $perf_current
  )
  (func $wasm_perf_reset (;10;) (type 6)
    (local i32)
    loop ;; label = @1
      local.get 0
      i64.const 0
      i64.store 1
      local.get 0
      i32.const 8
      i32.add
      local.tee 0
      memory.size 1
      i32.const 16
      i32.shl
      i32.lt_u
      br_if 0 (;@1;)
    end
    i32.const 2240
    global.set 1
  )
  (@custom "wasm_instrument" (after code) "\01\050.1.0\04none\09wasm_perf\01\03\02\022min-instructions=0 skip-leaves=0 host-calls inline")
)
