#!/bin/bash
# Instruments every .wasm of some well-known npm packages, shows the results to V8, runs three
# programs as they are and instrumented, and prints a table. Exit code 1 if anything is wrong.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
need_debian python3
need_node
need_npm sql.js esbuild-wasm @swc/wasm @ffmpeg/core pyodide @ruby/3.4-wasm-wasi @ruby/wasm-wasi \
  web-tree-sitter @rollup/wasm-node
exec python3 tests/real/real.py
