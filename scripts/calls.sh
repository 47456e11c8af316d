#!/usr/bin/env bash
# Programs made of calls of all kinds: their call trees against an oracle's.
set -euo pipefail
# shellcheck source=tests/spec/tools.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/spec/tools.sh"

usage() {
  cat <<'TEXT'
Usage: calls.sh [OPTIONS]

Makes programs of up to three modules that call each other and their host in every way, with tail calls,
exceptions, traps, references and suspensions, instruments them with --embed and other options, runs them
before and after, and compares what they do, and their call trees node by node, with what an
interpreter of the programs says. Exits 1 if any differs.

  --count N        programs to make for each engine (default: 2000)
  --seed S         seed of the programs (default: 1)
  --index I        only the program of this index, whose modules are kept
  --engine ENGINE  v8, wasmtime or all (default)
  --mode MODE      guard, manual or none: how the host keeps the slot right (default: all)
  --first          stop at the first that differs
  --jobs N         processes at a time (default: one for each core)
  --without NAME   build the project without each piece of tests/calls/mutations.mjs whose name contains NAME,
                   and exit 1 unless some program differs without it, and none with all of them

Environment: WASM_INSTRUMENT, the program to test (default: build/wasm-instrument).
TEXT
}

engine=all
options=()
program=main.mjs
without=()
while [ $# -gt 0 ]; do
  case $1 in
    --count | --seed | --index | --jobs)
      [[ ${2-} =~ ^[0-9]+$ ]] || die "$1 needs a number (see --help)"
      options+=("$1" "$2") && shift ;;
    --engine | --mode)
      [ $# -gt 1 ] || die "$1 needs a value (see --help)"
      [ "$1" = --mode ] || engine=$2
      options+=("$1" "$2") && shift ;;
    --first) options+=("$1") ;;
    --without)
      [ $# -gt 1 ] || die "$1 needs a value (see --help)"
      program=mutate.mjs without=("$2") && shift ;;
    -h | --help) usage && exit ;;
    *) die "unknown option $1 (see --help)" ;;
  esac
  shift
done

case $engine in v8 | wasmtime | all) ;; *) die "unknown engine $engine: v8, wasmtime or all" ;; esac
find_wasm_instrument
need_node
[ "$engine" = v8 ] || need_python wasmtime

[ "$program" = mutate.mjs ] || options+=(--wasm-instrument "$WASM_INSTRUMENT")
exec "$NODE" "$repository/tests/calls/$program" "${without[@]}" "${options[@]}"
