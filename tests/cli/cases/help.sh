# Help goes to stdout.
wasm-instrument --help
