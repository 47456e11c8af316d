#!/bin/bash
# What a run of `wasm-perf bench` costs beside a plain run, in the program's own time: real programs in C, C++, Go and
# Zig, measured side by side in Node.js, as a Markdown table of ratios. Exit code 1 if their mean is above the limit.
# Needs an idle machine, and a build in build/ or in the folder that WI_BUILD names. The first run compiles for minutes.
#
#   scripts/gate_cost.sh [--pairs N] [--limit RATIO] [PROGRAM...]   default: 9 pairs of runs, 1.5; programs as in measurements.md
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
export WI_CACHE
# shellcheck disable=SC2086
need_debian clang lld $WASI_PACKAGES libc++-14-dev-wasm32 libc++abi-14-dev-wasm32 rustc libstd-rust-dev-wasm32
need_node
exec "$NODE" --no-warnings tests/bench/gate.mjs "$@"
