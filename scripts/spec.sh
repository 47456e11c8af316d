#!/usr/bin/env bash
# The specification suite, run with the original and with the instrumented modules.
set -euo pipefail
# shellcheck source=tests/spec/tools.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/spec/tools.sh"

usage() {
  cat <<'TEXT'
Usage: spec.sh [OPTIONS] [FILE.wast…]

Runs each test script in each engine with the original and with the instrumented modules, and
compares the outcome of every assertion. Exits 1 if any differs.

  --engine ENGINE  v8, wasmtime or all (default)
  --suite DIR      the scripts (default: $WASM_TESTSUITE, else ../shared/testsuite)
  --with=OPTIONS   OPTIONS for wasm-instrument, such as --with=--clock=instructions; given again:
                   another form of the same scripts, whose originals are run once
  --jobs N         processes at a time (default: one for each core)
  --keep           keep the converted and instrumented modules

Environment: WASM_INSTRUMENT, the program to test (default: build/wasm-instrument).
TEXT
}

engine=all
suite=${WASM_TESTSUITE:-$repository/../shared/testsuite}
options=()
files=()
while [ $# -gt 0 ]; do
  case $1 in
    --engine | --suite)
      [ $# -gt 1 ] || die "$1 needs a value (see --help)"
      declare "${1#--}=$2" && shift ;;
    --jobs)
      [[ ${2-} =~ ^[1-9][0-9]*$ ]] || die "$1 needs a number (see --help)"
      options+=("$1" "$2") && shift ;;
    --keep) options+=("$1") ;;
    --with=*) options+=("$1") ;;
    -h | --help) usage && exit ;;
    -*) die "unknown option $1 (see --help)" ;;
    *) files+=("$1") ;;
  esac
  shift
done

case $engine in v8 | wasmtime | all) ;; *) die "unknown engine $engine: v8, wasmtime or all" ;; esac
[ -d "$suite" ] ||
  die "no test scripts in $suite: clone the repository WebAssembly/testsuite and give its folder" \
    "with --suite or WASM_TESTSUITE"
find_tools "$engine"

exec "$NODE" "$repository/tests/spec/main.mjs" --engine "$engine" --suite "$suite" \
  --wasm-tools "$WASM_TOOLS" --wasm-instrument "$WASM_INSTRUMENT" \
  "${options[@]}" -- "${files[@]}"
