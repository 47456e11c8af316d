(module
  (type $goroutine (;0;) (func (param i32)))
  (type (;1;) (func (param i32 i32 i32)))
  (type (;2;) (func))
  (type (;3;) (func (result i32)))
  (type (;4;) (func (result i64)))
  (type (;5;) (func))
  (type (;6;) (func (param i32)))
  (type (;7;) (func (param i32) (result i32)))
  (type (;8;) (func (param i32 i32 i32)))
  (type (;9;) (func (param i32 i32) (result i32)))
  (type (;10;) (func (param i32 i32)))
  (type (;11;) (func (param i32 i32 i32 i32)))
  (type (;12;) (func (param i64) (result i32)))
  (type (;13;) (func (param i32 i64)))
  (type (;14;) (func (param i32) (result i64)))
  (table (;0;) 4 funcref)
  (memory (;0;) 1)
  (memory (;1;) 1 32768)
  (global $stack (;0;) (mut i32) i32.const …)
  (global $state (;1;) (mut i32) i32.const 0)
  (global $data (;2;) (mut i32) i32.const 0)
  (global (;3;) (mut i32) i32.const …)
  (export "main" (func $main.main))
  (export "asyncify_start_unwind" (func $start_unwind))
  (export "asyncify_stop_unwind" (func $stop_unwind))
  (export "asyncify_start_rewind" (func $start_rewind))
  (export "wasm_perf_profile" (func $wasm_perf.runtime))
  (export "wasm_perf_read" (func $wasm_perf.runtime))
  (export "wasm_perf_count" (func $wasm_perf.runtime))
  (export "wasm_perf_reset" (func $wasm_perf.runtime))
  (export "wasm_perf_slot" (func $wasm_perf.runtime))
  (export "wasm_perf_set_slot" (func $wasm_perf.runtime))
  (elem (;0;) (i32.const 1) func $main.worker$gowrapper)
  (func $internal/task.start (;0;) (type 1) (param $function i32) (param $argument i32) (param $size i32)
    (local i32)
    local.get $function
    local.get $argument
    call $wasm_perf.runtime
    global.get 3
    i32.load 1
    local.tee 3
    i32.const 4
    i32.and
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 0
      i32.const 0
      call $wasm_perf.runtime
      local.set 3
    end
    local.get 3
    local.get 3
    i64.load 1 offset=8
    global.get $state
    i32.const 2
    i32.ne
    i64.extend_i32_u
    i64.add
    i64.store 1 offset=8
    i32.const 0
    local.get $function
    i32.store
    i32.const 4
    local.get $argument
    i32.store
  )
  (func $runtime.scheduler (;1;) (type $goroutine) (param $task i32)
    (local i32 i32 i32 i32)
    global.get 3
    local.set 2
    global.get 3
    i32.load 1
    local.tee 1
    i32.const 4
    i32.and
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 1
      i32.const 0
      call $wasm_perf.runtime
      local.set 1
    end
    local.get 1
    local.get 1
    i64.load 1 offset=8
    global.get $state
    i32.const 2
    i32.ne
    i64.extend_i32_u
    i64.add
    i64.store 1 offset=8
    local.get $task
    i32.const 1
    local.get 1
    i32.const 24
    i32.add
    global.set 3
    call_indirect (type $goroutine)
    local.get $task
    i32.load
    if ;; label = @1
      local.get $task
      local.get 1
      i32.const 16
      i32.add
      global.set 3
      call $start_rewind
      i32.const 4
      i32.load
      i32.const 0
      i32.load
      local.get 1
      i32.const 32
      i32.add
      global.set 3
      local.set 4
      local.tee 3
      local.get 3
      local.get 4
      global.get $state
      global.get $data
      call $wasm_perf.runtime
      local.get 4
      call_indirect (type $goroutine)
      local.get 1
      i32.const 20
      i32.add
      global.set 3
      global.get $state
      global.get $data
      call $wasm_perf.runtime
      call $stop_unwind
    else
      i32.const 4
      i32.load
      i32.const 0
      i32.load
      local.get 1
      i32.const 40
      i32.add
      global.set 3
      local.set 4
      local.tee 3
      local.get 3
      local.get 4
      global.get $state
      global.get $data
      call $wasm_perf.runtime
      local.get 4
      call_indirect (type $goroutine)
      local.get 1
      i32.const 20
      i32.add
      global.set 3
      global.get $state
      global.get $data
      call $wasm_perf.runtime
      call $stop_unwind
    end
    local.get 2
    global.set 3
  )
  (func $main.worker$gowrapper (;2;) (type $goroutine) (param i32)
    (local i32)
    global.get 3
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
    global.get $state
    i32.const 2
    i32.ne
    i64.extend_i32_u
    i64.add
    i64.store 1 offset=8
    i32.const 4704
    global.set 3
    local.get 0
    local.get 1
    i32.const 16
    i32.add
    global.set 3
    call $start_unwind
  )
  (func $main.main (;3;) (type 2)
    (local i32 i32)
    global.get 3
    i32.load 1
    local.tee 0
    i32.load 1
    i32.const 3
    i32.ne
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 3
      i32.const 1
      call $wasm_perf.runtime
      local.set 0
    end
    local.get 0
    local.get 0
    i64.load 1 offset=8
    global.get $state
    i32.const 2
    i32.ne
    i64.extend_i32_u
    i64.add
    i64.store 1 offset=8
    global.get 3
    local.set 1
    i32.const 4704
    global.set 3
    i32.const 1
    i32.const 64
    i32.const 128
    local.get 0
    i32.const 16
    i32.add
    global.set 3
    call $internal/task.start
    i32.const 16
    local.get 0
    i32.const 20
    i32.add
    global.set 3
    call $runtime.scheduler
    local.get 1
    global.set 3
  )
  (func $start_unwind (;4;) (type $goroutine) (param i32)
    (local i32 i32)
    global.get 3
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
    global.get $state
    i32.const 2
    i32.ne
    i64.extend_i32_u
    i64.add
    i64.store 1 offset=8
    global.get 3
    local.set 2
    i32.const 4704
    global.set 3
    i32.const 1
    global.set $state
    local.get 0
    global.set $data
    local.get 2
    global.set 3
  )
  (func $stop_unwind (;5;) (type 2)
    (local i32 i32)
    global.get 3
    i32.load 1
    local.tee 0
    i32.load 1
    i32.const 5
    i32.ne
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 5
      i32.const 1
      call $wasm_perf.runtime
      local.set 0
    end
    local.get 0
    local.get 0
    i64.load 1 offset=8
    global.get $state
    i32.const 2
    i32.ne
    i64.extend_i32_u
    i64.add
    i64.store 1 offset=8
    global.get 3
    local.set 1
    i32.const 4704
    global.set 3
    i32.const 0
    global.set $state
    local.get 1
    global.set 3
  )
  (func $start_rewind (;6;) (type $goroutine) (param i32)
    (local i32 i32)
    global.get 3
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
    global.get $state
    i32.const 2
    i32.ne
    i64.extend_i32_u
    i64.add
    i64.store 1 offset=8
    global.get 3
    local.set 2
    i32.const 4704
    global.set 3
    i32.const 2
    global.set $state
    local.get 0
    global.set $data
    local.get 2
    global.set 3
  )
  (func $wasm_perf.runtime …)
  (func $wasm_perf.runtime …)
  (data (;0;) (memory 1) (i32.const …) "…")
  (data (;1;) (memory 1) (i32.const …) "…")
  (data (;2;) (memory 1) (i32.const …) "…")
  (@custom "wasm_instrument" (after data) "\01\051.0.0\04none\09wasm_perf\00\00\07\07&min-instructions=0 skip-leaves=0 embed")
)
