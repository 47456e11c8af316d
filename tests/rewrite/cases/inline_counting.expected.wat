(module
  (type (;0;) (func))
  (type (;1;) (func (param i32)))
  (type (;2;) (func (param i32) (result i32)))
  (type (;3;) (func (param i32 i32 i32) (result i32)))
  (type (;4;) (func (param i32 i64)))
  (type (;5;) (func (param i32 i64 i32) (result i64)))
  (type (;6;) (func (param i32)))
  (type (;7;) (func (param i32) (result i32)))
  (type (;8;) (func (param i64)))
  (type (;9;) (func (param i64 i64)))
  (type (;10;) (func (param i64 i32)))
  (type (;11;) (func (param i64 i64 i32)))
  (type (;12;) (func))
  (import "wasm_perf" "perf_enter_at" (func $perf_enter_at (;0;) (type 3)))
  (import "wasm_perf" "perf_cell" (func $perf_cell (;1;) (type 4)))
  (import "wasm_perf" "perf_charge" (func $perf_charge (;2;) (type 4)))
  (import "wasm_perf" "perf_read" (func $perf_read (;3;) (type 5)))
  (import "wasm_perf" "perf_current" (func $perf_current (;4;) (type 6)))
  (memory (;0;) 1 32768)
  (tag $e (;0;) (type 0))
  (global (;0;) (mut i64) i64.const 0)
  (global (;1;) (mut i32) i32.const 2272)
  (global (;2;) (mut i64) i64.const 0)
  (global (;3;) (mut i64) i64.const 0)
  (global (;4;) (mut i32) i32.const 0)
  (export "catches" (func $catches))
  (export "wasm_perf_unwind" (func $wasm_perf_unwind))
  (export "wasm_perf_sync" (func $wasm_perf_sync))
  (export "wasm_perf_reset" (func $wasm_perf_reset))
  (export "wasm_perf_current" (global 1))
  (export "wasm_perf_memory" (memory 0))
  (func $throws (;5;) (type 1) (param i32)
    (local i32 i32 i64 i64)
    global.get 0
    local.set 3
    global.get 1
    local.set 1
    local.get 1
    local.get 1
    i64.load offset=8
    local.tee 4
    local.get 3
    global.get 2
    i64.sub
    i64.add
    i64.store offset=8
    local.get 3
    global.set 2
    local.get 4
    i64.eqz
    local.get 3
    global.get 3
    i64.ge_u
    i32.or
    if ;; label = @1
      local.get 3
      local.get 4
      call $wasm_perf_note
    end
    global.get 1
    local.tee 2
    i32.const 1
    i32.shr_u
    i32.const 24
    i32.and
    local.tee 1
    i32.load offset=2208
    local.get 2
    i32.eq
    if (result i32) ;; label = @1
      local.get 1
      i32.load offset=2212
    else
      i32.const 5
      call $wasm_perf_enter
    end
    local.tee 1
    global.set 1
    local.get 1
    local.get 1
    i64.load
    i64.const 1
    i64.add
    i64.store
    block ;; label = @1
      local.get 0
      i32.eqz
      local.get 3
      i64.const 3
      i64.add
      local.set 3
      br_if 0 (;@1;)
      local.get 3
      i64.const 1
      i64.add
      local.set 3
      local.get 3
      global.set 0
      throw $e
    end
    local.get 3
    global.set 0
    local.get 1
    local.get 1
    i64.load offset=8
    local.tee 4
    local.get 3
    global.get 2
    i64.sub
    i64.add
    i64.store offset=8
    local.get 3
    global.set 2
    local.get 4
    i64.eqz
    local.get 3
    global.get 3
    i64.ge_u
    i32.or
    local.get 2
    i32.const 2272
    i32.eq
    i32.or
    if ;; label = @1
      local.get 3
      local.get 4
      local.get 2
      call $wasm_perf_leave
    end
    local.get 2
    global.set 1
  )
  (func $catches (;6;) (type 2) (param i32) (result i32)
    (local i32 i32 i64 i64)
    global.get 0
    local.set 3
    global.get 1
    local.set 1
    local.get 1
    local.get 1
    i64.load offset=8
    local.tee 4
    local.get 3
    global.get 2
    i64.sub
    i64.add
    i64.store offset=8
    local.get 3
    global.set 2
    local.get 4
    i64.eqz
    local.get 3
    global.get 3
    i64.ge_u
    i32.or
    if ;; label = @1
      local.get 3
      local.get 4
      call $wasm_perf_note
    end
    global.get 1
    local.tee 2
    i32.const 1
    i32.shr_u
    i32.const 24
    i32.and
    local.tee 1
    i32.load offset=2240
    local.get 2
    i32.eq
    if (result i32) ;; label = @1
      local.get 1
      i32.load offset=2244
    else
      i32.const 6
      call $wasm_perf_enter
    end
    local.tee 1
    global.set 1
    local.get 1
    local.get 1
    i64.load
    i64.const 1
    i64.add
    i64.store
    block ;; label = @1
      try_table (catch $e 0 (;@1;)) ;; label = @2
        local.get 0
        local.get 3
        i64.const 4
        i64.add
        local.tee 3
        global.set 0
        call $throws
        global.get 0
        local.set 3
      end
      i32.const 0
      local.get 3
      i64.const 2
      i64.add
      local.tee 3
      global.set 0
      local.get 3
      global.set 0
      local.get 1
      local.get 1
      i64.load offset=8
      local.tee 4
      local.get 3
      global.get 2
      i64.sub
      i64.add
      i64.store offset=8
      local.get 3
      global.set 2
      local.get 4
      i64.eqz
      local.get 3
      global.get 3
      i64.ge_u
      i32.or
      local.get 2
      i32.const 2272
      i32.eq
      i32.or
      if ;; label = @2
        local.get 3
        local.get 4
        local.get 2
        call $wasm_perf_leave
      end
      local.get 2
      global.set 1
      return
    end
    global.get 0
    local.set 3
    local.get 1
    call $wasm_perf_unwind
    i32.const 1
    local.get 3
    i64.const 1
    i64.add
    local.tee 3
    global.set 0
    local.get 3
    global.set 0
    local.get 1
    local.get 1
    i64.load offset=8
    local.tee 4
    local.get 3
    global.get 2
    i64.sub
    i64.add
    i64.store offset=8
    local.get 3
    global.set 2
    local.get 4
    i64.eqz
    local.get 3
    global.get 3
    i64.ge_u
    i32.or
    local.get 2
    i32.const 2272
    i32.eq
    i32.or
    if ;; label = @1
      local.get 3
      local.get 4
      local.get 2
      call $wasm_perf_leave
    end
    local.get 2
    global.set 1
  )
  (func $wasm_perf_enter (;7;) (type 7) (param i32) (result i32)
    (local i32 i32)
    memory.size
    i32.const 16
    i32.shl
    i32.const 2272
    i32.sub
    i32.const 4
    i32.shr_u
    local.set 1
    global.get 1
    i32.const 2272
    i32.sub
    i32.const 4
    i32.shr_u
    local.get 0
    local.get 1
    call $perf_enter_at
    local.tee 2
    i32.const 0
    i32.lt_s
    if ;; label = @1
      local.get 2
      i32.const -1
      i32.xor
      i32.const 4
      i32.shl
      i32.const 2272
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
      memory.grow
      drop
    end
    local.get 0
    i32.const 5
    i32.shl
    global.get 1
    i32.const 1
    i32.shr_u
    i32.const 24
    i32.and
    i32.add
    global.get 1
    i32.store offset=2048
    local.get 0
    i32.const 5
    i32.shl
    global.get 1
    i32.const 1
    i32.shr_u
    i32.const 24
    i32.and
    i32.add
    local.get 2
    i32.const 4
    i32.shl
    i32.const 2272
    i32.add
    local.tee 2
    i32.store offset=2052
    local.get 2
  )
  (func $wasm_perf_charge (;8;) (type 8) (param i64)
    (local i32 i64)
    global.get 1
    local.set 1
    local.get 1
    local.get 1
    i64.load offset=8
    local.tee 2
    local.get 0
    global.get 2
    i64.sub
    i64.add
    i64.store offset=8
    local.get 0
    global.set 2
    local.get 0
    local.get 2
    call $wasm_perf_note
  )
  (func $wasm_perf_note (;9;) (type 9) (param i64 i64)
    local.get 1
    i64.eqz
    if ;; label = @1
      global.get 4
      global.get 1
      i32.store
      global.get 4
      i32.const 4
      i32.add
      global.set 4
    end
    local.get 0
    global.get 3
    i64.ge_u
    global.get 4
    i32.const 2048
    i32.ge_u
    i32.or
    if ;; label = @1
      local.get 0
      i32.const 0
      call $wasm_perf_window
    end
  )
  (func $wasm_perf_window (;10;) (type 10) (param i64 i32)
    (local i32 i32)
    block ;; label = @1
      loop ;; label = @2
        local.get 2
        global.get 4
        i32.ge_u
        br_if 1 (;@1;)
        local.get 2
        i32.load
        local.tee 3
        i32.const 2272
        i32.sub
        i32.const 4
        i32.shr_u
        local.get 3
        i64.load offset=8
        call $perf_charge
        local.get 3
        i64.const 0
        i64.store offset=8
        local.get 2
        i32.const 4
        i32.add
        local.set 2
        br 0 (;@2;)
      end
    end
    i32.const 0
    global.set 4
    global.get 1
    i32.const 2272
    i32.sub
    i32.const 4
    i32.shr_u
    local.get 0
    local.get 1
    call $perf_read
    global.set 3
  )
  (func $wasm_perf_leave (;11;) (type 11) (param i64 i64 i32)
    local.get 0
    local.get 1
    call $wasm_perf_note
    local.get 2
    i32.const 2272
    i32.eq
    if ;; label = @1
      local.get 0
      i32.const 0
      call $wasm_perf_window
      i64.const 0
      global.set 3
    end
  )
  (func $wasm_perf_unwind (;12;) (type 6) (param i32)
    global.get 0
    call $wasm_perf_charge
    global.get 0
    i32.const 1
    call $wasm_perf_window
    local.get 0
    i32.const 2272
    i32.eq
    if ;; label = @1
      i64.const 0
      global.set 3
    end
    local.get 0
    global.set 1
  )
  (func $wasm_perf_sync (;13;) (type 12)
    (local i32)
    global.get 1
    call $wasm_perf_unwind
    i32.const 2272
    local.set 0
    loop ;; label = @1
      local.get 0
      i32.const 2272
      i32.sub
      i32.const 4
      i32.shr_u
      local.get 0
      i64.load
      call $perf_cell
      local.get 0
      i32.const 1
      i32.const 4
      i32.shl
      i32.add
      local.tee 0
      memory.size
      i32.const 16
      i32.shl
      i32.lt_u
      br_if 0 (;@1;)
    end
    global.get 1
    i32.const 2272
    i32.sub
    i32.const 4
    i32.shr_u
    call $perf_current
  )
  (func $wasm_perf_reset (;14;) (type 12)
    (local i32)
    loop ;; label = @1
      local.get 0
      i64.const 0
      i64.store
      local.get 0
      i32.const 8
      i32.add
      local.tee 0
      memory.size
      i32.const 16
      i32.shl
      i32.lt_u
      br_if 0 (;@1;)
    end
    i32.const 2272
    global.set 1
    global.get 0
    global.set 2
    i64.const 0
    global.set 3
    i32.const 0
    global.set 4
  )
  (@custom "wasm_instrument" (after code) "\01\050.1.0\06hybrid\09wasm_perf\00\05\02\02'min-instructions=0 skip-leaves=0 inline")
)
