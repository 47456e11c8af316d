(module
  (type $void (;0;) (func))
  (type (;1;) (func (param i32)))
  (type (;2;) (func (result i32)))
  (type (;3;) (func (result i64)))
  (type (;4;) (func))
  (type (;5;) (func (param i32)))
  (type (;6;) (func (param i32) (result i32)))
  (type (;7;) (func (param i32 i32) (result i32)))
  (type (;8;) (func (param i32 i32)))
  (type (;9;) (func (param i64) (result i32)))
  (type (;10;) (func (param i32 i64)))
  (type (;11;) (func (param i32) (result i64)))
  (import "env" "log" (func $log (;0;) (type $void)))
  (table (;0;) 2 funcref)
  (memory (;0;) 1)
  (memory (;1;) 1 32768)
  (global (;0;) (mut i32) i32.const …)
  (export "main" (func $main))
  (export "wasm_perf_share" (func $wasm_perf.runtime))
  (export "wasm_perf_profile" (func $wasm_perf.runtime))
  (export "wasm_perf_read" (func $wasm_perf.runtime))
  (export "wasm_perf_count" (func $wasm_perf.runtime))
  (export "wasm_perf_reset" (func $wasm_perf.runtime))
  (export "wasm_perf_slot" (func $wasm_perf.runtime))
  (export "wasm_perf_set_slot" (func $wasm_perf.runtime))
  (elem (;0;) (i32.const 0) func $shared $leaf)
  (func $alone (;1;) (type $void)
    i32.const 0
    i32.const 0
    i32.const 0
    memory.init $passive
  )
  (func $shared (;2;) (type $void)
    (local i32)
    global.get 0
    i32.load 1
    local.tee 0
    i32.load 1
    i32.const 2
    i32.ne
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 2
      i32.const 1
      call $wasm_perf.runtime
      local.set 0
    end
    local.get 0
    local.get 0
    i64.load 1 offset=8
    i64.const 1
    i64.add
    i64.store 1 offset=8
    i32.const 4704
    global.set 0
    local.get 0
    local.get 0
    i64.load 1 offset=16
    i64.const 1
    i64.add
    i64.store 1 offset=16
    call $alone
  )
  (func $leaf (;3;) (type 1) (param i32)
    (local i32)
    global.get 0
    i32.load 1
    local.tee 1
    i32.load 1
    i32.const 3
    i32.ne
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 3
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
    i32.const 4704
    global.set 0
    local.get 0
    br_if 0
  )
  (func $main (;4;) (type 1) (param i32)
    (local i32 i32)
    global.get 0
    i32.load 1
    local.tee 1
    i32.load 1
    i32.const 4
    i32.ne
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 4
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
    global.get 0
    local.set 2
    i32.const 4704
    global.set 0
    block ;; label = @1
      local.get 0
      br_if 0 (;@1;)
      local.get 1
      i32.const 16
      i32.add
      global.set 0
      call $shared
      i32.const 0
      local.get 1
      i32.const 20
      i32.add
      global.set 0
      call_indirect (type $void)
      local.get 1
      i32.const 28
      i32.add
      global.set 0
      call $log
      i32.const 4704
      global.set 0
      local.get 1
      local.get 1
      i64.load 1 offset=40
      i64.const 1
      i64.add
      i64.store 1 offset=40
      call $alone
    end
    local.get 2
    global.set 0
  )
  (func $wasm_perf.runtime …)
  (func $wasm_perf.runtime …)
  (data $passive (;0;) "abc")
  (data (;1;) (memory 1) (i32.const …) "…")
  (data (;2;) (memory 1) (i32.const …) "…")
  (data (;3;) (memory 1) (i32.const …) "…")
  (@custom "wasm_instrument" (after data) "\01\051.0.0\04none\09wasm_perf\01\00\04\04&min-instructions=0 skip-leaves=0 embed")
)
