#!/bin/bash
# Builds everything and runs the tests, after installing what that takes.
#
#   scripts/test.sh          builds with gcc and with clang and sanitizers, all tests of both
#   scripts/test.sh --full   also the specification suite, random modules, real modules, fuzzing, the
#                            wasmtime engine, and reports in Chromium and go tool pprof; builds
#                            wasm-tools from crates.io once
#   scripts/test.sh --rest   what --full adds to scripts/test.sh, also of the tests: those that skipped something there
#
# It builds in folders of its own, build-test and build-sanitize, so that nothing depends on what is in build.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

full=false left=false
case "${1:-}" in
  --full) full=true ;;
  --rest) full=true left=true ;;
  "") ;;
  *) echo "usage: scripts/test.sh [--full | --rest]" >&2; exit 2 ;;
esac

# ---- What ran, printed at the end, also where a part fails ---------------------------------------
report=()
part_name=

# Sets cpu: the seconds that this shell and all that it has waited for took. A subshell counts anew.
read_cpu() {
  local file
  file=$(mktemp)
  times >"$file"
  cpu=$(awk '{for (i = 1; i <= NF; i++) {split($i, t, /[ms]/); sum += t[1] * 60 + t[2]}} END {printf "%d", sum}' "$file")
  rm -f "$file"
}

row() { # NAME SECONDS CPU-SECONDS RESULT
  printf '%-44s %5d s %6d s  %s' "$@"
}

part_end() { # RESULT
  read_cpu
  [ -z "$part_name" ] ||
    report+=("$(row "$part_name" $((SECONDS - part_start)) $((cpu - part_cpu)) "$1")")
  part_name=
}

# part NAME: begins a part, which ends where the next one begins. `note` adds a remark to it.
part() {
  part_end "${note:-ok}"
  note=
  part_name=$1 part_start=$SECONDS part_cpu=$cpu
  echo
  echo "==== $1"
}

finish() {
  local status=$?
  if [ "$status" -eq 0 ]; then part_end "${note:-ok}"; else part_end failed; fi
  echo
  echo "==== what ran"
  printf '%-44s %7s %8s\n' '' time CPU
  printf '%s\n' "${report[@]}"
  row total "$SECONDS" "$cpu" "$([ "$status" -eq 0 ] && echo 'all passed' || echo 'NOT passed')"
  echo
}
trap finish EXIT
# Without these, whoever is stopped would end with the code of the last command, which may be 0.
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# ---- Parts that take one core each: one more at a time than there are cores, as some of them wait ----
at_a_time=$(($(nproc) + 1))
queue=$(mktemp -d)
queued=0

# queue NAME COMMAND...: a part for run_queue. Queue the longest first.
queue() {
  printf '%s\n' "$1" >"$queue/$queued.name"
  shift
  printf '%q ' "$@" >"$queue/$queued.command"
  queued=$((queued + 1))
}

run_queued() { # NUMBER
  local status=0
  SECONDS=0
  bash -c "$(cat "$queue/$1.command")" >"$queue/$1.log" 2>&1 || status=$?
  read_cpu
  row "$(cat "$queue/$1.name")" "$SECONDS" "$cpu" \
    "$([ "$status" -eq 0 ] && echo ok || echo failed)" >"$queue/$1.row"
  echo "$status" >"$queue/$1.status"
}

show_queued() { # NUMBER
  echo
  echo "==== $(cat "$queue/$1.name")"
  cat "$queue/$1.log"
  report+=("$(cat "$queue/$1.row")")
}

# Their output is printed once all have ended; all run, even where one fails, and what failed is printed last.
run_queue() {
  local i failed=()
  part_end "${note:-ok}"
  for ((i = 0; i < queued; i++)); do
    [ "$i" -lt "$at_a_time" ] || wait -n || true
    run_queued "$i" &
  done
  wait
  for ((i = 0; i < queued; i++)); do
    if [ "$(cat "$queue/$i.status")" -eq 0 ]; then show_queued "$i"; else failed+=("$i"); fi
  done
  for i in "${failed[@]}"; do show_queued "$i"; done
  rm -r "$queue"
  [ ${#failed[@]} -eq 0 ]
}

build_and_test() { # PRESET FOLDER CMAKE-OPTIONS...
  local preset=$1 folder=$2 names some=()
  shift 2
  configure "$folder" -C "src/cmake/presets/$preset.cmake" -DNODE="$NODE" "$@"
  cmake --build "$folder" -j"$(nproc)" | grep -vE '^\[|^Consolidate|^Scanning' || true
  cmake --build "$folder" >/dev/null
  if $left; then
    names=$(python3 tests/support/ran.py left "$folder")
    [ -n "$names" ] || { note="no test was left"; return; }
    some=(-R "$names")
  fi
  ctest --test-dir "$folder" --no-tests=error --output-on-failure -j"$at_a_time" "${some[@]}" |
    tee "$folder/tests.log"
  $left || python3 tests/support/ran.py save "$folder"
  note="$(sed -n 's/^100% tests passed, 0 tests failed out of \([0-9]*\)$/\1 tests/p' "$folder/tests.log")"
  local skipped
  skipped=$(grep -c '\*\*\*Skipped' "$folder/tests.log" || true)
  [ "$skipped" -eq 0 ] || note+=", $skipped of them skipped"
}

# ---- The parts -----------------------------------------------------------------------------------
part "what is needed"
# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES $WASI_PACKAGES libclang-rt-dev libcmocka-dev llvm lcov clang-format shellcheck \
  codespell python3 valgrind mandoc bash-completion zsh fish lintian faketime jq
need_node
need_npm @bytecodealliance/jco-transpile sql.js pprof-format speedscope ajv devtools-protocol \
  @firefox-devtools/profiler-cli puppeteer-core axe-core source-map@0.6.1
need_python opentelemetry.proto.profiles=opentelemetry-proto
readers=OFF
if $full; then
  need_debian chromium firefox-esr emscripten linux-perf
  [ -x "$WI_PYTHON/bin/py-spy" ] || need_python py_spy=py-spy
  need_npm vite @resvg/resvg-wasm typescript@5 esbuild rollup @rollup/plugin-node-resolve webpack \
    webpack-cli jest @deno/linux-x64-glibc @oven/bun-linux-x64
  command -v go >/dev/null || need_debian golang-go
  command -v cargo >/dev/null || need_debian cargo
  need_cargo wasm-tools
  need_wasmtime
  readers=ON
fi
export WASM_PERF_NODE=$NODE

part "form, spelling, structure"
scripts/check.sh --texts

part "gcc, release"
build_and_test release build-test -DWI_ALL_READERS=$readers

part "clang, address and undefined-behaviour sanitizers"
build_and_test sanitize build-sanitize

if $full; then
  export WI_BUILD=$PWD/build-test
  queue "real programs" scripts/real.sh --programs
  suite=${WASM_TESTSUITE:-../shared/testsuite}
  if [ -d "$suite" ]; then
    queue "specification suite" scripts/spec.sh --jobs 1 --suite "$suite" --with= '--with=--embed --memory'
    queue "specification suite, other options" scripts/spec.sh --jobs 1 --engine v8 --suite "$suite" \
      --with=--clock=instructions --with=--exclude=@2-4
  else
    report+=("specification suite: skipped, no $suite (a clone of the repository WebAssembly/testsuite)")
  fi
  queue "the build by hand, clean clone" tests/install/clean_clone.sh
  queue "hosts" scripts/hosts.sh
  queue "debug information of real modules" scripts/debug.sh
  queue "memory of real programs" scripts/memory.sh
  queue "components of compilers" scripts/components.sh
  queue "fuzzing: modules" scripts/fuzz.sh --runs 6000 module
  queue "toolchains for JavaScript, recipes" scripts/toolchains.sh
  # Of the packages some whose glue differs most; all: scripts/packages.sh.
  queue "npm packages, unchanged" scripts/packages.sh --clock=none pyodide php esbuild quickjs sql.js resvg tiktoken
  queue "goroutines" scripts/guests.sh --share
  queue "random modules" scripts/random.sh --jobs 1 --count 500
  queue "random modules, instructions" scripts/random.sh --jobs 1 --count 500 --seed 2 --with=--clock=instructions
  queue "random modules, some functions" scripts/random.sh --jobs 1 --count 500 --seed 3 --with=--exclude=@3-9
  queue "random modules, embedded" scripts/random.sh --jobs 1 --count 500 --seed 4 --with=--embed
  queue "programs made of calls" scripts/calls.sh --jobs 1 --engine v8 --count 1000
  queue "programs made of calls, wasmtime" scripts/calls.sh --jobs 1 --engine wasmtime --count 300 --seed 2
  queue "benchmarks that do not vary" scripts/determinism.sh --share --runs 1
  queue "a workflow for GitHub" tests/install/workflow.sh
  queue "names from other builds" scripts/matching.sh lua lists
  queue "names from other versions" scripts/matching.sh --versions 200
  queue "pictures of reports" scripts/screenshots.sh
  # Few runs: what fuzzing found before is in the seeds, and longer ones are for whoever changed a reader.
  # Each profile is written in every format, each text goes through every reader.
  queue "fuzzing: profiles" scripts/fuzz.sh --runs 4000 profile pair
  queue "fuzzing: names, whitelists, demangling" scripts/fuzz.sh --runs 25000 names whitelist demangle
  queue "fuzzing: debug information, symbols, samples" scripts/fuzz.sh --runs 4000 debug symbols samples
  queue "fuzzing: guests" scripts/fuzz.sh --runs 1500 guest frames
  queue "fuzzing: benchmarks" scripts/fuzz.sh --runs 15000 suite baseline
  queue "fuzzing: text" scripts/fuzz.sh --runs 2000 text
  queue "modules of npm packages" scripts/real.sh --modules
  run_queue
fi
