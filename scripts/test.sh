#!/bin/bash
# Builds everything and runs the tests, after installing what that takes.
#
#   scripts/test.sh          builds with gcc and with clang and sanitizers, all tests of both
#   scripts/test.sh --full   also the specification suite, random modules, real modules, fuzzing, the
#                            wasmtime engine, and reports in Chromium and go tool pprof; builds
#                            wasm-tools and wasmtime from crates.io once
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

full=false
case "${1:-}" in
  --full) full=true ;;
  "") ;;
  *) echo "usage: scripts/test.sh [--full]" >&2; exit 2 ;;
esac

# ---- What ran, told at the end, also where a part fails --------------------------------------
report=()
part_name=
part_start=0

part_end() { # RESULT
  [ -z "$part_name" ] || report+=("$(printf '%-44s %4d s  %s' "$part_name" $((SECONDS - part_start)) "$1")")
  part_name=
}

# part NAME: what follows, up to the next one, is it. `note` says what it was made of.
part() {
  part_end "${note:-ok}"
  note=
  part_name=$1 part_start=$SECONDS
  echo
  echo "==== $1"
}

finish() {
  local status=$?
  if [ "$status" -eq 0 ]; then part_end "${note:-ok}"; else part_end failed; fi
  echo
  echo "==== what ran"
  printf '%s\n' "${report[@]}"
  printf '%-44s %4d s  %s\n' total "$SECONDS" "$([ "$status" -eq 0 ] && echo 'all passed' || echo 'NOT passed')"
}
trap finish EXIT

build_and_test() { # PRESET FOLDER CMAKE-OPTIONS...
  local preset=$1 folder=$2
  shift 2
  cmake -C "src/cmake/presets/$preset.cmake" -B "$folder" -DNODE="$NODE" "$@" >/dev/null
  cmake --build "$folder" -j"$(nproc)" | grep -vE '^\[|^Consolidate|^Scanning' || true
  cmake --build "$folder" >/dev/null
  ctest --test-dir "$folder" --no-tests=error --output-on-failure -j"$(nproc)" | tee "$folder/tests.log"
  note="$(sed -n 's/^100% tests passed, 0 tests failed out of \([0-9]*\)$/\1 tests/p' "$folder/tests.log")"
  local skipped
  skipped=$(grep -c '\*\*\*Skipped' "$folder/tests.log" || true)
  [ "$skipped" -eq 0 ] || note+=", $skipped of them skipped"
}

# ---- The parts -----------------------------------------------------------------------------------
part "what is needed"
# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES $WASI_PACKAGES libclang-rt-dev libcmocka-dev clang-format shellcheck \
  codespell python3 valgrind mandoc bash-completion zsh fish
need_node
need_npm @bytecodealliance/jco-transpile sql.js pprof-format speedscope ajv devtools-protocol \
  @firefox-devtools/profiler-cli puppeteer-core
readers=OFF
if $full; then
  need_debian chromium emscripten
  need_npm vite @resvg/resvg-wasm typescript@5
  command -v go >/dev/null || need_debian golang-go
  command -v cargo >/dev/null || need_debian cargo
  need_cargo wasm-tools wasmtime-cli@48.0.8
  readers=ON
fi
export WASM_PERF_NODE=$NODE

part "form, spelling, structure"
scripts/check.sh --texts

part "gcc, release"
build_and_test release build -DWI_ALL_READERS=$readers

part "clang, address and undefined-behaviour sanitizers"
build_and_test sanitize build-sanitize

if $full; then
  part "the build by hand, on a bare Debian"
  tests/install/debian.sh
  part "pictures of reports"
  scripts/screenshots.sh
  part "real modules"
  scripts/real.sh
  suite=${WASM_TESTSUITE:-../shared/testsuite}
  if [ -d "$suite" ]; then
    for options in "" --with=--clock=instructions --with=--exclude=@2-4 --with=--embed; do
      part "specification suite ${options#--with=}"
      # shellcheck disable=SC2086
      scripts/spec.sh --suite "$suite" $options
    done
  else
    part "specification suite"
    note="skipped: no $suite (a clone of the repository WebAssembly/testsuite)"
  fi
  part "random modules"
  scripts/random.sh
  scripts/random.sh --count 1000 --seed 2 --with=--clock=instructions
  scripts/random.sh --count 1000 --seed 3 --with=--exclude=@3-9
  scripts/random.sh --count 1000 --seed 4 --with=--embed
  part "fuzzing"
  scripts/fuzz.sh --runs 300000 module
  scripts/fuzz.sh --runs 1000000 names whitelist demangle
  scripts/fuzz.sh --runs 100000 profile pair # each input is written in every format
  scripts/fuzz.sh --runs 200000 debug
  scripts/fuzz.sh --runs 50000 text
fi
