(module
  (type (;0;) (func (param i32) (result i32)))
  (type (;1;) (func (result i32)))
  (type (;2;) (func (param i32 i32 i32) (result i32)))
  (type (;3;) (func (param i32 i64)))
  (type (;4;) (func (param i32)))
  (type (;5;) (func (param i32) (result i32)))
  (type (;6;) (func))
  (import "wasm_perf" "perf_enter" (func $perf_enter (;0;) (type 2)))
  (import "wasm_perf" "perf_cell" (func $perf_cell (;1;) (type 3)))
  (import "wasm_perf" "perf_current" (func $perf_current (;2;) (type 4)))
  (memory (;0;) 1 32768)
  (global (;0;) (mut i32) i32.const 2240)
  (export "run" (func $run))
  (export "wasm_perf_unwind" (func $wasm_perf_unwind))
  (export "wasm_perf_sync" (func $wasm_perf_sync))
  (export "wasm_perf_reset" (func $wasm_perf_reset))
  (export "wasm_perf_measure_work" (func $wasm_perf_measure_work))
  (export "wasm_perf_measure_hooked_work" (func $wasm_perf_measure_hooked_work))
  (export "wasm_perf_current" (global 0))
  (export "wasm_perf_memory" (memory 0))
  (func $leaf (;3;) (type 0) (param i32) (result i32)
    (local i32 i32)
    global.get 0
    local.tee 2
    i32.const 0
    i32.shr_u
    i32.const 24
    i32.and
    local.tee 1
    i32.load offset=2144
    local.get 2
    i32.eq
    if (result i32) ;; label = @1
      local.get 1
      i32.load offset=2148
    else
      i32.const 3
      call $wasm_perf_enter
    end
    local.tee 1
    global.set 0
    local.get 1
    local.get 1
    i64.load
    i64.const 1
    i64.add
    i64.store
    local.get 0
    local.get 2
    global.set 0
  )
  (func $run (;4;) (type 1) (result i32)
    (local i32 i32)
    global.get 0
    local.tee 1
    i32.const 0
    i32.shr_u
    i32.const 24
    i32.and
    local.tee 0
    i32.load offset=2176
    local.get 1
    i32.eq
    if (result i32) ;; label = @1
      local.get 0
      i32.load offset=2180
    else
      i32.const 4
      call $wasm_perf_enter
    end
    local.tee 0
    global.set 0
    local.get 0
    local.get 0
    i64.load
    i64.const 1
    i64.add
    i64.store
    i32.const 7
    call $leaf
    local.get 1
    global.set 0
  )
  (func $wasm_perf_enter (;5;) (type 5) (param i32) (result i32)
    (local i32 i32)
    memory.size
    i32.const 16
    i32.shl
    i32.const 2240
    i32.sub
    i32.const 3
    i32.shr_u
    local.set 1
    global.get 0
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
      memory.grow
      drop
    end
    local.get 0
    i32.const 5
    i32.shl
    global.get 0
    i32.const 0
    i32.shr_u
    i32.const 24
    i32.and
    i32.add
    global.get 0
    i32.store offset=2048
    local.get 0
    i32.const 5
    i32.shl
    global.get 0
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
    i32.store offset=2052
    local.get 2
  )
  (func $wasm_perf_unwind (;6;) (type 4) (param i32)
    local.get 0
    global.set 0
  )
  (func $wasm_perf_sync (;7;) (type 6)
    (local i32)
    global.get 0
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
      i64.load
      call $perf_cell
      local.get 0
      i32.const 1
      i32.const 3
      i32.shl
      i32.add
      local.tee 0
      memory.size
      i32.const 16
      i32.shl
      i32.lt_u
      br_if 0 (;@1;)
    end
    global.get 0
    i32.const 2240
    i32.sub
    i32.const 3
    i32.shr_u
    call $perf_current
  )
  (func $wasm_perf_reset (;8;) (type 6)
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
    i32.const 2240
    global.set 0
  )
  (func $wasm_perf_work (;9;) (type 5) (param i32) (result i32)
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
  )
  (func $wasm_perf_hooked_work (;10;) (type 5) (param i32) (result i32)
    (local i32 i32)
    global.get 0
    local.tee 2
    i32.const 0
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
    global.set 0
    local.get 1
    local.get 1
    i64.load
    i64.const 1
    i64.add
    i64.store
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 0
    i32.const -1640531535
    i32.mul
    local.get 0
    i32.const 15
    i32.shr_u
    i32.xor
    local.set 0
    local.get 2
    global.set 0
    local.get 0
  )
  (func $wasm_perf_measure_work (;11;) (type 5) (param i32) (result i32)
    (local i32)
    loop ;; label = @1
      local.get 1
      local.get 0
      call $wasm_perf_work
      i32.add
      local.set 1
      local.get 0
      i32.const 1
      i32.sub
      local.tee 0
      br_if 0 (;@1;)
    end
    local.get 1
  )
  (func $wasm_perf_measure_hooked_work (;12;) (type 5) (param i32) (result i32)
    (local i32 i32)
    global.get 0
    local.set 2
    i32.const 16
    global.set 0
    global.get 0
    i32.const 0
    i32.shr_u
    i32.const 24
    i32.and
    i32.const 16
    i32.store offset=2208
    global.get 0
    i32.const 0
    i32.shr_u
    i32.const 24
    i32.and
    i32.const 24
    i32.store offset=2212
    loop ;; label = @1
      local.get 1
      local.get 0
      call $wasm_perf_hooked_work
      i32.add
      local.set 1
      local.get 0
      i32.const 1
      i32.sub
      local.tee 0
      br_if 0 (;@1;)
    end
    local.get 2
    global.set 0
    local.get 1
  )
  (@custom "wasm_instrument" (after code) "\01\050.1.0\07sampled\09wasm_perf\00\03\02\02'min-instructions=0 skip-leaves=0 inline")
)
