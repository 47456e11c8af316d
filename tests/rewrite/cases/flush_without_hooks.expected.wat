;; stderr: wasm-instrument: in.wasm: warning: no function is selected
(module
  (type (;0;) (func (param i32)))
  (type (;1;) (func))
  (type (;2;) (func))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (;0;) (type 0)))
  (import "wasm_perf" "perf_flush" (func $perf_flush (;1;) (type 2)))
  (export "_start" (func $start))
  (func $start (;2;) (type 1)
    (local i32)
    block ;; label = @1
      local.get 0
      br_if 0 (;@1;)
      call $exit
    end
    call $perf_flush
  )
  (func $exit (;3;) (type 1)
    i32.const 3
    call $perf_flush
    call $proc_exit
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\01\01\02\000min-instructions=0 skip-leaves=0 selection flush")
)
