# Without an input there is nothing to do.
wasm-instrument
