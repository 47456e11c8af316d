(module
  (type $function (;0;) (func (param i32) (result i32)))
  (type (;1;) (func))
  (type (;2;) (func (result i32)))
  (type (;3;) (func (result i64)))
  (type (;4;) (func))
  (type (;5;) (func (param i32)))
  (type (;6;) (func (param i32) (result i32)))
  (type (;7;) (func (param i32 i32 i32)))
  (type (;8;) (func (param i32 i32) (result i32)))
  (type (;9;) (func (param i32 i32)))
  (type (;10;) (func (param i32 i32 i32 i32)))
  (type (;11;) (func (param i64) (result i32)))
  (type (;12;) (func (param i32 i64)))
  (type (;13;) (func (param i32) (result i64)))
  (table (;0;) 4105 funcref)
  (memory (;0;) 1)
  (memory (;1;) 1 32768)
  (global $SP (;0;) (mut i32) i32.const 0)
  (global $CTXT (;1;) (mut i64) i64.const 0)
  (global $g (;2;) (mut i64) i64.const 0)
  (global $RET0 (;3;) (mut i64) i64.const 0)
  (global $RET1 (;4;) (mut i64) i64.const 0)
  (global $RET2 (;5;) (mut i64) i64.const 0)
  (global $RET3 (;6;) (mut i64) i64.const 0)
  (global $PAUSE (;7;) (mut i32) i32.const 0)
  (global (;8;) (mut i32) i32.const …)
  (export "run" (func $run))
  (export "wasm_perf_profile" (func $wasm_perf.runtime))
  (export "wasm_perf_read" (func $wasm_perf.runtime))
  (export "wasm_perf_count" (func $wasm_perf.runtime))
  (export "wasm_perf_reset" (func $wasm_perf.runtime))
  (export "wasm_perf_slot" (func $wasm_perf.runtime))
  (export "wasm_perf_set_slot" (func $wasm_perf.runtime))
  (elem (;0;) (i32.const 4096) func $run $wasm_pc_f_loop $runtime.mcall $runtime.morestack $runtime.gogo $runtime.systemstack $runtime.newproc $runtime.newproc1 $main.main)
  (func $run (;0;) (type 1)
    (local i32 i32)
    global.get 8
    i32.load 1
    local.tee 0
    i32.load 1
    i32.const 0
    i32.ne
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 0
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
    global.get 8
    local.set 1
    i32.const 4704
    global.set 8
    local.get 0
    i32.const 16
    i32.add
    global.set 8
    call $wasm_pc_f_loop
    local.get 1
    global.set 8
  )
  (func $wasm_pc_f_loop (;1;) (type 1)
    (local i32 i32 i32 i32)
    global.get 8
    i32.load 1
    local.tee 0
    i32.load 1
    i32.const 1
    i32.ne
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 1
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
    global.get 8
    local.set 1
    i32.const 4704
    global.set 8
    loop ;; label = @1
      global.get $SP
      i32.load16_u
      global.get $SP
      i32.load
      local.get 0
      i32.const 16
      i32.add
      global.set 8
      local.set 3
      local.tee 2
      local.get 2
      local.get 3
      global.get $g
      i32.wrap_i64
      call $wasm_perf.runtime
      local.get 3
      call_indirect (type $function)
      drop
      global.get $PAUSE
      i32.eqz
      br_if 0 (;@1;)
    end
    i32.const 0
    global.set $PAUSE
    local.get 1
    global.set 8
  )
  (func $runtime.mcall (;2;) (type $function) (param i32) (result i32)
    (local i32)
    global.get $g
    i32.wrap_i64
    i32.const 0
    call $wasm_perf.runtime
    global.get 8
    i32.load 1
    local.tee 1
    i32.load 1
    i32.const 2
    i32.ne
    (@metadata.code.branch_hint "\00")
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
    i32.const 4704
    global.set 8
    i64.const 8
    global.set $g
    i32.const 0
    i32.const 4100
    local.get 1
    i32.const 16
    i32.add
    global.set 8
    call_indirect (type $function)
  )
  (func $runtime.morestack (;3;) (type $function) (param i32) (result i32)
    (local i32)
    global.get $g
    i32.wrap_i64
    i32.const 1
    call $wasm_perf.runtime
    global.get 8
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
    global.set 8
    i64.const 8
    global.set $g
    i32.const 0
    local.get 1
    i32.const 16
    i32.add
    global.set 8
    call $runtime.gogo
  )
  (func $runtime.gogo (;4;) (type $function) (param i32) (result i32)
    (local i32)
    global.get 8
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
    i32.const 4704
    global.set 8
    i64.const 16
    global.set $g
    i32.const 1
  )
  (func $runtime.systemstack (;5;) (type $function) (param i32) (result i32)
    (local i32)
    global.get 8
    i32.load 1
    local.tee 1
    i32.load 1
    i32.const 5
    i32.ne
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 5
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
    global.set 8
    i64.const 8
    global.set $g
    i32.const 0
    local.get 1
    i32.const 16
    i32.add
    global.set 8
    call $runtime.gogo
    drop
    i64.const 16
    global.set $g
    i32.const 0
  )
  (func $runtime.newproc (;6;) (type $function) (param i32) (result i32)
    (local i32)
    global.get 8
    i32.load 1
    local.tee 1
    i32.load 1
    i32.const 6
    i32.ne
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 6
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
    global.set 8
    i32.const 0
    local.get 1
    i32.const 16
    i32.add
    global.set 8
    call $runtime.newproc1
  )
  (func $runtime.newproc1 (;7;) (type $function) (param i32) (result i32)
    (local i32)
    global.get 8
    i32.load 1
    local.tee 1
    i32.load 1
    i32.const 7
    i32.ne
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 7
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
    global.set 8
    i32.const 0
    global.get $SP
    i64.load offset=32
    i32.wrap_i64
    call $wasm_perf.runtime
  )
  (func $main.main (;8;) (type $function) (param i32) (result i32)
    (local i32)
    global.get 8
    i32.load 1
    local.tee 1
    i32.load 1
    i32.const 8
    i32.ne
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 8
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
    global.set 8
    i32.const 0
    local.get 1
    i32.const 16
    i32.add
    global.set 8
    call $wasm_perf.runtime
    call $runtime.newproc
  )
  (func $wasm_perf.runtime …)
  (func $wasm_perf.runtime …)
  (data (;0;) (memory 1) (i32.const …) "…")
  (data (;1;) (memory 1) (i32.const …) "…")
  (data (;2;) (memory 1) (i32.const …) "…")
  (@producers
    (language "Go" "go1.26.8")
    (processed-by "wasm-instrument" "1.0.0")
  )
  (@custom "wasm_instrument" (after data) "\01\051.0.0\04none\09wasm_perf\00\00\09\09&min-instructions=0 skip-leaves=0 embed")
)
