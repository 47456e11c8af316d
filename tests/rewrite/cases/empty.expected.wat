(module
  (@custom "wasm_instrument" (before first) "\01\051.0.0\04wall\09wasm_perf\00\00\00\00 min-instructions=0 skip-leaves=0")
)
