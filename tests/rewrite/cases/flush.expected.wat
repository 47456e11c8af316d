(module
  (type (;0;) (func (param i32)))
  (type (;1;) (func))
  (type (;2;) (func (param i32)))
  (type (;3;) (func))
  (type (;4;) (func (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (;0;) (type 0)))
  (import "env" "other" (func $other (;1;) (type 1)))
  (import "wasm_perf" "perf_start" (func $perf_start (;2;) (type 2)))
  (import "wasm_perf" "perf_end" (func $perf_end (;3;) (type 3)))
  (import "wasm_perf" "perf_depth" (func $perf_depth (;4;) (type 4)))
  (import "wasm_perf" "perf_unwind" (func $perf_unwind (;5;) (type 2)))
  (import "wasm_perf" "perf_flush" (func $perf_flush (;6;) (type 3)))
  (export "_start" (func $start))
  (func $start (;7;) (type 1)
    (local i32 i32)
    i32.const 7
    call $perf_start
    call $perf_depth
    local.set 1
    block ;; label = @1
      local.get 0
      if ;; label = @2
        call $perf_end
        call $perf_flush
        return
      end
      local.get 0
      br_if 0 (;@1;)
      call $other
      local.get 1
      call $perf_unwind
      i32.const 3
      call $perf_flush
      call $proc_exit
      local.get 1
      call $perf_unwind
    end
    call $perf_end
    call $perf_flush
  )
  (func $tail (;8;) (type 0) (param i32)
    i32.const 8
    call $perf_start
    local.get 0
    call $perf_end
    call $perf_flush
    return_call $proc_exit
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\02\05\02\02&min-instructions=0 skip-leaves=0 flush")
)
