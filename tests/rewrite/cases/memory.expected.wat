(module
  (type $point (;0;) (struct (field i32) (field (ref null $point))))
  (type $words (;1;) (array (mut i32)))
  (type (;2;) (func (param i32) (result i32)))
  (type (;3;) (func (param i32)))
  (type (;4;) (func (param i32 i32)))
  (type (;5;) (func (result i32)))
  (type (;6;) (func (param i64) (result i32)))
  (type (;7;) (func (param i32) (result i32)))
  (type (;8;) (func (param i32 i32) (result i32)))
  (type (;9;) (func (param i32 i32 i32) (result i32)))
  (type (;10;) (func (param i32 i32 i32)))
  (type (;11;) (func (param i32 i32)))
  (type (;12;) (func (param i32)))
  (type (;13;) (func (param i32 i64)))
  (type (;14;) (func (param i32) (result i64)))
  (type (;15;) (func))
  (type (;16;) (func (param i32 i64) (result i32)))
  (type (;17;) (func (param i64 i32)))
  (type (;18;) (func (param i32 i64 i64 i32)))
  (type (;19;) (func (param i64 i32) (result i32)))
  (type (;20;) (func (param i32 i64 i64)))
  (type (;21;) (func (param i32 i64 i64 i64 i32)))
  (type (;22;) (func (param i32 i32 i32 i32 i32)))
  (type (;23;) (func (result i64)))
  (memory (;0;) 1)
  (memory (;1;) 1 32768)
  (global (;0;) (mut i32) i32.const …)
  (global (;1;) (mut i32) i32.const …)
  (global (;2;) i32 i32.const …)
  (export "make" (func $make))
  (export "wasm_perf_profile" (func $wasm_perf.runtime))
  (export "wasm_perf_read" (func $wasm_perf.runtime))
  (export "wasm_perf_reset" (func $wasm_perf.runtime))
  (export "wasm_perf_slot" (func $wasm_perf.runtime))
  (export "wasm_perf_set_slot" (func $wasm_perf.runtime))
  (func $malloc (;0;) (type 2) (param i32) (result i32)
    (local i32 i32 i32 i32 i32 i32 i64 i64 i64 i64 i64)
    global.get 0
    i32.load 1
    local.tee 1
    i32.const 4
    i32.and
    if ;; label = @1
      i32.const 0
      i32.const 0
      call $wasm_perf.runtime
      local.set 1
    end
    local.get 1
    local.get 1
    i64.load 1 offset=8
    i64.const 1
    i64.add
    i64.store 1 offset=8
    local.get 0
    i64.extend_i32_u
    local.set 7
    local.get 1
    local.get 8
    call $wasm_perf.runtime
    local.set 2
    local.get 0
    i32.eqz
    if ;; label = @1
      i32.const 0
      local.tee 3
      local.get 1
      i32.const 16
      i32.add
      local.get 3
      i64.extend_i32_u
      local.get 7
      local.get 2
      call $wasm_perf.runtime
      return
    end
    i32.const 1
    local.tee 4
    memory.grow
    local.tee 5
    local.get 1
    i32.const 16
    i32.add
    local.get 4
    i64.extend_i32_s
    local.get 5
    i64.extend_i32_s
    call $wasm_perf.runtime
    drop
    i32.const 16
    local.tee 3
    local.get 1
    i32.const 16
    i32.add
    local.get 3
    i64.extend_i32_u
    local.get 7
    local.get 2
    call $wasm_perf.runtime
  )
  (func $free (;1;) (type 3) (param i32)
    (local i32 i32 i32 i32 i32 i32 i64 i64 i64 i64 i64)
    global.get 0
    i32.load 1
    local.tee 1
    i32.const 4
    i32.and
    if ;; label = @1
      i32.const 1
      i32.const 0
      call $wasm_perf.runtime
      local.set 1
    end
    local.get 1
    local.get 1
    i64.load 1 offset=8
    i64.const 1
    i64.add
    i64.store 1 offset=8
    local.get 0
    i64.extend_i32_u
    local.set 8
    local.get 1
    local.get 8
    call $wasm_perf.runtime
    local.set 2
    local.get 2
    call $wasm_perf.runtime
  )
  (func $make (;2;) (type 3) (param i32)
    (local i32 i32 i32 i32 i32 i32 i32 i64 i64 i64 i64 i64)
    global.get 0
    local.set 2
    global.get 0
    i32.load 1
    local.tee 1
    i32.load 1
    i32.const 2
    i32.ne
    if ;; label = @1
      i32.const 2
      i32.const 1
      call $wasm_perf.runtime
      local.set 1
    end
    local.get 1
    local.get 1
    i64.load 1 offset=8
    i64.const 1
    i64.add
    i64.store 1 offset=8
    local.get 0
    local.get 1
    i32.const 20
    i32.add
    global.set 0
    call $malloc
    local.get 1
    i32.const 24
    i32.add
    global.set 0
    call $free
    struct.new_default $point
    local.get 1
    i32.const 28
    i32.add
    i32.const 0
    call $"struct point"
    drop
    local.get 0
    local.tee 7
    array.new_default $words
    local.get 1
    i32.const 32
    i32.add
    local.get 7
    call $"array words"
    drop
    i32.const 1
    i32.const 2
    array.new_fixed $words 2
    local.get 1
    i32.const 36
    i32.add
    i32.const 2
    call $"array words"
    drop
    local.get 2
    global.set 0
  )
  (func $wasm_perf.runtime …)
  (func $"struct point" (;56;) (type 4) (param i32 i32)
    local.get 0
    i32.const 56
    i32.const 16
    i32.const 0
    local.get 1
    call $wasm_perf.runtime
  )
  (func $"array words" (;57;) (type 4) (param i32 i32)
    local.get 0
    i32.const 57
    i32.const 12
    i32.const 4
    local.get 1
    call $wasm_perf.runtime
  )
  (data (;0;) (memory 1) (i32.const …) "\89wperf\0d\0a")
  (data (;1;) (memory 1) (i32.const …) "\01\00\00\00\00\00\00\00")
  (data (;2;) (memory 1) (i32.const …) "…")
  (@custom "wasm_instrument" (after data) "\01\050.1.0\04none\09wasm_perf\00\00\03\03&min-instructions=0 skip-leaves=0 embed")
)
