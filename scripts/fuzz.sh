#!/bin/bash
# Fuzzes readers, scanner, rewrite, guests, names, whitelists, demangling, profiles, lists of benchmarks and their
# baselines, hostile text and the growth of work with libFuzzer under the address and undefined-behaviour sanitizers.
#
#   scripts/fuzz.sh [--seconds N] [TARGET...]    N for each target (default 60)
#   scripts/fuzz.sh --runs N [TARGET...]         N inputs for each, on a fresh corpus, from one random seed
#
# Seeds are the modules of the golden rewrites and, where wasm-tools and the specification suite
# ($WASM_TESTSUITE, else ../shared/testsuite) are there, its modules. Findings are kept
# in build-fuzz/found/TARGET; once fixed, they belong in tests/fuzz/found/TARGET.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

corpus=build-fuzz/corpus
limit=-max_total_time=60
case ${1:-} in
  --seconds) limit=-max_total_time=$2; shift 2 ;;
  --runs) # what earlier runs kept would make the same number another effort
    corpus=$(mktemp -d)
    trap 'rm -rf "$corpus"' EXIT
    limit="-runs=$2 -seed=1"
    shift 2
    ;;
esac
targets=${*:-text work module guest frames names debug whitelist symbols samples demangle profile pair match suite baseline}

# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES libclang-rt-dev libcmocka-dev python3
need_node
need_npm @bytecodealliance/jco-transpile
# Several may run at once, on different targets.
mkdir -p build-fuzz
exec 9>build-fuzz/lock
flock 9
configure build-fuzz -C src/cmake/presets/fuzz.cmake -DNODE="$NODE"
for target in $targets; do
  cmake --build build-fuzz --target "fuzz-$target" -j"$(nproc)" >/dev/null
done

"$NODE" tests/fuzz/seeds.mjs build-fuzz/seeds
suite=${WASM_TESTSUITE:-../shared/testsuite}
if [ -d "$suite" ] && command -v wasm-tools >/dev/null && [ ! -d build-fuzz/seeds/suite ]; then
  mkdir -p build-fuzz/seeds/suite
  for script in "$suite"/*.wast; do
    folder=build-fuzz/seeds/suite/$(basename "$script" .wast)
    mkdir "$folder"
    wasm-tools json-from-wast "$script" --wasm-dir "$folder" -o "$folder/script.json" || true
    rm -f "$folder"/script.json "$folder"/*.wat
  done
fi
flock -u 9
failures=0
printf '%-10s %12s %10s %8s\n' target executions seconds found
for target in $targets; do
  seeds="build-fuzz/seeds/$target $(ls -d "tests/fuzz/found/$target" 2>/dev/null || true)"
  [ "$target" != module ] || seeds+=" $(ls -d build-fuzz/seeds/suite 2>/dev/null || true)"
  mkdir -p "$corpus/$target" "build-fuzz/found/$target" "build-fuzz/seeds/$target"
  log=build-fuzz/$target.log
  started=$SECONDS
  # shellcheck disable=SC2086
  build-fuzz/fuzz-"$target" $limit -timeout=10 -rss_limit_mb=2048 -max_len=8192 \
    -print_final_stats=1 -artifact_prefix="build-fuzz/found/$target/" \
    "$corpus/$target" $seeds >"$log" 2>&1 || failures=$((failures + 1))
  executions=$(awk '/stat::number_of_executed_units/ {print $2}' "$log")
  found=$(find "build-fuzz/found/$target" -type f | wc -l)
  printf '%-10s %12s %10s %8s\n' "$target" "${executions:-?}" $((SECONDS - started)) "$found"
done
[ "$failures" -eq 0 ] || { echo "$failures targets failed; see build-fuzz/*.log" >&2; exit 1; }
