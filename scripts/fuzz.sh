#!/bin/bash
# Fuzzes readers, scanner, rewrite, names, whitelists, demangling and profiles with libFuzzer under
# the address and undefined-behaviour sanitizers.
#
#   scripts/fuzz.sh [--seconds N] [TARGET...]    N for each target (default 60)
#
# Seeds are the modules of the golden rewrites and, where $WASM_TESTSUITE or ../shared/testsuite
# has been converted by scripts/spec.sh, its modules. What is found is kept in
# build-fuzz/found/TARGET; fixed, it belongs into tests/fuzz/found/TARGET.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

seconds=60
if [ "${1:-}" = --seconds ]; then
  seconds=$2
  shift 2
fi
targets=${*:-module names whitelist demangle profile}

# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES libclang-rt-dev libcmocka-dev python3
need_node
need_npm @bytecodealliance/jco-transpile
CC=clang CXX=clang++ cmake -B build-fuzz -DWI_FUZZ=ON -DWI_SANITIZE=address,undefined,fuzzer-no-link \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DNODE="$NODE" >/dev/null
for target in $targets; do
  cmake --build build-fuzz --target "fuzz-$target" -j"$(nproc)" >/dev/null
done

"$NODE" tests/fuzz/seeds.mjs build-fuzz/seeds
failures=0
printf '%-10s %12s %10s %8s\n' target executions seconds found
for target in $targets; do
  mkdir -p "build-fuzz/corpus/$target" "build-fuzz/found/$target" "build-fuzz/seeds/$target"
  log=build-fuzz/$target.log
  build-fuzz/fuzz-"$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=8192 \
    -print_final_stats=1 -artifact_prefix="build-fuzz/found/$target/" \
    "build-fuzz/corpus/$target" "build-fuzz/seeds/$target" $(ls -d "tests/fuzz/found/$target" 2>/dev/null) \
    >"$log" 2>&1 || failures=$((failures + 1))
  executions=$(awk '/stat::number_of_executed_units/ {print $2}' "$log")
  found=$(find "build-fuzz/found/$target" -type f | wc -l)
  printf '%-10s %12s %10s %8s\n' "$target" "${executions:-?}" "$seconds" "$found"
done
[ "$failures" -eq 0 ] || { echo "$failures targets failed; see build-fuzz/*.log" >&2; exit 1; }
