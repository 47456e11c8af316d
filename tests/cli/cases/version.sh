# The version, as one line.
wasm-instrument --version
