(module
  (type (;0;) (func))
  (import "env" "f" (func $f (;0;) (type 0)))
  (export "f" (func $f))
  (@custom "wasm_instrument" (after export) "\01\051.0.0\04wall\09wasm_perf\01\00\00\00 min-instructions=0 skip-leaves=0")
)
