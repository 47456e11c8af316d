#!/bin/bash
# Components that compilers made: Rust's for WASI 0.2, where rustc has the target wasm32-wasip2, C with wit-component's
# adapter, JavaScript with componentize-js, Python with componentize-py. Each runs as it is and instrumented, by wasmtime or jco.
# It takes a build in build/, or in the folder that WI_BUILD names.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian clang lld $WASI_PACKAGES
need_node
need_python componentize_py=componentize-py
need_npm @bytecodealliance/jco @bytecodealliance/componentize-js @bytecodealliance/preview2-shim
need_cargo wasm-tools
need_wasmtime
exec "$NODE" --test --test-reporter=spec tests/component/compilers.mjs
