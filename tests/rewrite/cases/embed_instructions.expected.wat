(module
  (type (;0;) (func))
  (type (;1;) (func (param i32) (result i32)))
  (type (;2;) (func (param i32)))
  (type (;3;) (func (result i32)))
  (type (;4;) (func (result i64)))
  (type (;5;) (func))
  (type (;6;) (func (param i32)))
  (type (;7;) (func (param i32) (result i32)))
  (type (;8;) (func (param i32 i32) (result i32)))
  (type (;9;) (func (param i32 i32)))
  (type (;10;) (func (param i64) (result i32)))
  (type (;11;) (func (param i32 i64)))
  (type (;12;) (func (param i32) (result i64)))
  (import "env" "host" (func $host (;0;) (type 0)))
  (memory (;0;) 1 32768)
  (tag $e (;0;) (type 0))
  (global (;0;) (mut i32) i32.const …)
  (export "wasm_perf_share" (func $wasm_perf.runtime))
  (export "wasm_perf_profile" (func $wasm_perf.runtime))
  (export "wasm_perf_read" (func $wasm_perf.runtime))
  (export "wasm_perf_count" (func $wasm_perf.runtime))
  (export "wasm_perf_reset" (func $wasm_perf.runtime))
  (export "wasm_perf_slot" (func $wasm_perf.runtime))
  (export "wasm_perf_set_slot" (func $wasm_perf.runtime))
  (func $static (;1;) (type 1) (param i32) (result i32)
    local.get 0
    i32.const 1
    i32.add
  )
  (func $meets (;2;) (type 2) (param i32)
    (local i32 i64)
    global.get 0
    i32.load
    local.tee 1
    i32.const 4
    i32.and
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 2
      i32.const 0
      call $wasm_perf.runtime
      local.set 1
    end
    local.get 1
    local.get 1
    i64.load offset=8
    i64.const 1
    i64.add
    i64.store offset=8
    local.get 0
    i64.const 2
    local.set 2
    if ;; label = @1
      nop
      nop
      i64.const 4
      local.set 2
    end
    block $b
      local.get 0
      br_if $b
      nop
      local.get 2
      i64.const 1
      i64.add
      local.set 2
    end
    local.get 1
    local.get 1
    i64.load offset=16
    local.get 2
    i64.add
    i64.const 3
    i64.add
    i64.store offset=16
  )
  (func $loops (;3;) (type 2) (param i32)
    (local i32 i64)
    global.get 0
    i32.load
    local.tee 1
    i32.const 4
    i32.and
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 3
      i32.const 0
      call $wasm_perf.runtime
      local.set 1
    end
    local.get 1
    local.get 1
    i64.load offset=8
    i64.const 1
    i64.add
    i64.store offset=8
    i64.const 1
    local.set 2
    loop $l
      local.get 0
      local.get 2
      i64.const 2
      i64.add
      local.set 2
      br_if $l
      local.get 0
      if ;; label = @2
        nop
      else
        local.get 2
        i64.const 3
        i64.add
        local.set 2
        br $l
      end
    end
    local.get 1
    local.get 1
    i64.load offset=16
    local.get 2
    i64.add
    i64.const 3
    i64.add
    i64.store offset=16
  )
  (func $table (;4;) (type 2) (param i32)
    (local i32 i64)
    global.get 0
    i32.load
    local.tee 1
    i32.const 4
    i32.and
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 4
      i32.const 0
      call $wasm_perf.runtime
      local.set 1
    end
    local.get 1
    local.get 1
    i64.load offset=8
    i64.const 1
    i64.add
    i64.store offset=8
    block ;; label = @1
      block $a
        block $b
          local.get 0
          i64.const 4
          local.set 2
          br_table $a $b 2 (;@1;)
        end
        nop
        local.get 0
        i64.const 7
        local.set 2
        br_if 1 (;@1;)
        i64.const 7
        local.set 2
      end
      local.get 1
      local.get 1
      i64.load offset=16
      local.get 2
      i64.add
      i64.const 1
      i64.add
      i64.store offset=16
      local.get 1
      i32.const 24
      i32.add
      global.set 0
      call $host
      i32.const 4712
      global.set 0
      i64.const 0
      local.set 2
    end
    local.get 1
    local.get 1
    i64.load offset=16
    local.get 2
    i64.add
    i64.store offset=16
  )
  (func $catches (;5;) (type 2) (param i32)
    (local i32 i64)
    global.get 0
    i32.load
    local.tee 1
    i32.const 4
    i32.and
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 5
      i32.const 0
      call $wasm_perf.runtime
      local.set 1
    end
    local.get 1
    local.get 1
    i64.load offset=8
    i64.const 1
    i64.add
    i64.store offset=8
    block $h
      try_table (catch_all $h) ;; label = @2
        local.get 1
        local.get 1
        i64.load offset=16
        i64.const 3
        i64.add
        i64.store offset=16
        i64.const 0
        local.set 2
        local.get 1
        i32.const 24
        i32.add
        global.set 0
        call $host
        i32.const 4712
        global.set 0
        local.get 0
        i64.const 2
        local.set 2
        br_if $h
        nop
        local.get 1
        local.get 1
        i64.load offset=16
        i64.const 4
        i64.add
        i64.store offset=16
        i64.const 0
        local.set 2
        throw $e
      end
    end
    i32.const 4712
    global.set 0
    local.get 1
    local.get 1
    i64.load offset=16
    local.get 2
    i64.add
    i64.const 1
    i64.add
    i64.store offset=16
    i64.const 0
    local.set 2
    local.get 1
    i32.const 24
    i32.add
    global.set 0
    call $host
    i32.const 4712
    global.set 0
  )
  (func $wasm_perf.runtime …)
  (func $wasm_perf.runtime …)
  (data (;0;) (i32.const …) "…")
  (data (;1;) (i32.const …) "…")
  (data (;2;) (i32.const …) "…")
  (@custom "wasm_instrument" (after data) "\01\051.0.0\0cinstructions\09wasm_perf\01\00\05\05&min-instructions=0 skip-leaves=0 embed")
)
