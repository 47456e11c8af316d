"""Reads the profile of a module that was instrumented with `wasm-instrument --embed`, in wasmtime:

    open("app.wperf", "wb").write(read_profile(store, instance.exports(store)))
"""


def read_profile(store, exports):
    size = exports["wasm_perf_profile"](store) % 2**32
    read = exports["wasm_perf_read"]
    words = (read(store, offset) % 2**64 for offset in range(0, size, 8))
    return b"".join(word.to_bytes(8, "little") for word in words)[:size]
