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

step() { echo; echo "==== $*"; }

step "what is needed"
# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES $WASI_PACKAGES libclang-rt-dev libcmocka-dev clang-format python3 \
  valgrind mandoc bash-completion zsh fish
need_node
need_npm @bytecodealliance/jco-transpile sql.js pprof-format speedscope ajv devtools-protocol \
  @firefox-devtools/profiler-cli puppeteer-core
readers=OFF
if $full; then
  need_debian chromium
  command -v go >/dev/null || need_debian golang-go
  command -v cargo >/dev/null || need_debian cargo
  need_cargo wasm-tools wasmtime-cli@48.0.8
  readers=ON
fi
export WASM_PERF_NODE=$NODE

build_and_test() { # FOLDER CMAKE-OPTIONS...
  local folder=$1
  shift
  cmake -B "$folder" -DBUILD_TESTING=ON -DWI_WERROR=ON -DNODE="$NODE" "$@" >/dev/null
  cmake --build "$folder" -j"$(nproc)" | grep -vE '^\[|^Consolidate|^Scanning' || true
  cmake --build "$folder" >/dev/null
  ctest --test-dir "$folder" --no-tests=error --output-on-failure -j"$(nproc)"
}

step "gcc, Release"
build_and_test build -DCMAKE_BUILD_TYPE=Release -DWI_ALL_READERS=$readers

step "clang, address and undefined-behaviour sanitizers"
CC=clang CXX=clang++ build_and_test build-sanitize -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DWI_SANITIZE=address,undefined

step "format"
find include src tests examples -name '*.prof.*' -o -name '*.[ch]' -print -o -name '*.cc' -print |
  xargs clang-format --dry-run --Werror
echo "all files are formatted"

if $full; then
  step "pictures of reports"
  scripts/screenshots.sh
  step "real modules"
  scripts/real.sh
  suite=${WASM_TESTSUITE:-../shared/testsuite}
  step "specification suite"
  if [ -d "$suite" ]; then
    scripts/spec.sh --suite "$suite"
    scripts/spec.sh --suite "$suite" --with=--clock=instructions
    scripts/spec.sh --suite "$suite" --with=--exclude=@2-4
    scripts/spec.sh --suite "$suite" --with=--inline
  else
    echo "skipped: no $suite (a clone of the repository WebAssembly/testsuite)"
  fi
  step "random modules"
  scripts/random.sh
  scripts/random.sh --count 1000 --seed 2 --with=--clock=instructions
  scripts/random.sh --count 1000 --seed 3 --with=--exclude=@3-9
  scripts/random.sh --count 1000 --seed 4 --with=--inline
  step "fuzzing"
  scripts/fuzz.sh --runs 2000000 module names whitelist demangle
  scripts/fuzz.sh --runs 100000 profile pair # each input is written in every format
fi

step "all tests passed"
