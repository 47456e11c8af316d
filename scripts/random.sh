#!/usr/bin/env bash
# Random modules, the original against the instrumented one.
set -euo pipefail
# shellcheck source=tests/spec/tools.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/spec/tools.sh"

usage() {
  cat <<'TEXT'
Usage: random.sh [OPTIONS]

Makes random modules, instruments them, runs both in each engine and compares results, traps,
memories, globals and tables. Exits 1 if any differs; failing modules are kept.

  --count N        modules to make (default: 2000)
  --seed S         seed of the modules (default: 1)
  --index I        only the module of this index
  --module FILE    FILE in place of a random module
  --engine ENGINE  v8, wasmtime or all (default)
  --with=OPTION    OPTION for wasm-instrument, such as --with=--clock=instructions
  --jobs N         processes at a time (default: one for each core)
  --shrink         make the first failing module small

Environment: WASM_INSTRUMENT, the program to test (default: build/wasm-instrument).
TEXT
}

engine=all
options=()
while [ $# -gt 0 ]; do
  case $1 in
    --count | --seed | --index | --jobs)
      [[ ${2-} =~ ^[0-9]+$ ]] || die "$1 needs a number (see --help)"
      options+=("$1" "$2") && shift ;;
    --module)
      [ -f "${2-}" ] || die "--module needs a file (see --help)"
      options+=("$1" "$2") && shift ;;
    --engine)
      [ $# -gt 1 ] || die "$1 needs a value (see --help)"
      engine=$2 && shift ;;
    --shrink) options+=("$1") ;;
    --with=*) options+=("$1") ;;
    -h | --help) usage && exit ;;
    *) die "unknown option $1 (see --help)" ;;
  esac
  shift
done

case $engine in v8 | wasmtime | all) ;; *) die "unknown engine $engine: v8, wasmtime or all" ;; esac
find_tools "$engine"

exec "$NODE" "$repository/tests/random/main.mjs" --engine "$engine" \
  --wasm-tools "$WASM_TOOLS" --wasm-instrument "$WASM_INSTRUMENT" \
  --script "$repository/scripts/random.sh" "${options[@]}"
