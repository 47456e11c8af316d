(module
  (type (;0;) (func (param i32)))
  (type (;1;) (func))
  (type (;2;) (func (result i32)))
  (type (;3;) (func (result i64)))
  (type (;4;) (func))
  (type (;5;) (func (param i32)))
  (type (;6;) (func (param i32) (result i32)))
  (type (;7;) (func (param i32 i32 i32)))
  (type (;8;) (func (param i32 i32) (result i32)))
  (type (;9;) (func (param i32 i32 i32 i32) (result i32)))
  (type (;10;) (func (param i32 i32 i32) (result i32)))
  (type (;11;) (func (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (type (;12;) (func (param i32 i32)))
  (type (;13;) (func (param i32 i32 i32 i32)))
  (type (;14;) (func (param i64) (result i32)))
  (type (;15;) (func (param i32 i64)))
  (type (;16;) (func (param i32) (result i64)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (;0;) (type 0)))
  (import "wasi_snapshot_preview1" "fd_write" (func (;1;) (type 9)))
  (import "wasi_snapshot_preview1" "fd_prestat_get" (func (;2;) (type 8)))
  (import "wasi_snapshot_preview1" "fd_prestat_dir_name" (func (;3;) (type 10)))
  (import "wasi_snapshot_preview1" "environ_sizes_get" (func (;4;) (type 8)))
  (import "wasi_snapshot_preview1" "environ_get" (func (;5;) (type 8)))
  (import "wasi_snapshot_preview1" "path_open" (func (;6;) (type 11)))
  (import "wasi_snapshot_preview1" "fd_close" (func (;7;) (type 6)))
  (memory (;0;) 1)
  (memory (;1;) 3 32768)
  (global (;0;) (mut i32) i32.const …)
  (export "memory" (memory 0))
  (export "_start" (func $main))
  (export "wasm_perf_share" (func $wasm_perf.runtime))
  (export "wasm_perf_profile" (func $wasm_perf.runtime))
  (export "wasm_perf_read" (func $wasm_perf.runtime))
  (export "wasm_perf_count" (func $wasm_perf.runtime))
  (export "wasm_perf_reset" (func $wasm_perf.runtime))
  (export "wasm_perf_slot" (func $wasm_perf.runtime))
  (export "wasm_perf_set_slot" (func $wasm_perf.runtime))
  (func $counted (;8;) (type 1)
    memory.size
    i32.eqz
    if ;; label = @1
      call $wasm_perf.runtime
      unreachable
    end
  )
  (func $bare (;9;) (type 1)
    i32.const 3
    call $wasm_perf.runtime
    call $exit
  )
  (func $main (;10;) (type 1)
    (local i32 i32)
    global.get 0
    i32.load 1
    local.tee 0
    i32.load 1
    i32.const 10
    i32.ne
    (@metadata.code.branch_hint "\00")
    if ;; label = @1
      i32.const 10
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
    global.get 0
    local.set 1
    i32.const 4704
    global.set 0
    local.get 0
    local.get 0
    i64.load 1 offset=24
    i64.const 1
    i64.add
    i64.store 1 offset=24
    call $counted
    local.get 0
    i32.const 16
    i32.add
    global.set 0
    call $bare
    local.get 1
    global.set 0
    call $wasm_perf.runtime
  )
  (func $wasm_perf.runtime …)
  (func $wasm_perf.runtime …)
  (data (;0;) (memory 1) (i32.const …) "…")
  (data (;1;) (memory 1) (i32.const …) "…")
  (data (;2;) (memory 1) (i32.const …) "…")
  (@custom "wasm_instrument" (after data) "\01\051.0.0\04none\09wasm_perf\01\07\03\020min-instructions=0 skip-leaves=0 selection embed")
)
