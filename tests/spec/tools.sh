# shellcheck shell=bash disable=SC2034
# What the engine tests need, found or installed; to be sourced.
# Sets repository, WASM_INSTRUMENT, WASM_TOOLS, NODE and, for wasmtime, PYTHONPATH.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=scripts/setup.sh
. "$repository/scripts/setup.sh"

die() {
  echo "$(basename "$0"): $*" >&2
  exit 2
}

find_wasm_instrument() {
  WASM_INSTRUMENT=${WASM_INSTRUMENT:-${WI_BUILD:-$repository/build}/wasm-instrument}
  [ -x "$WASM_INSTRUMENT" ] ||
    die "no $WASM_INSTRUMENT: build it first (cmake -B build && cmake --build build)," \
      "or set WASM_INSTRUMENT"
}

# $1: the engine, or all
find_tools() {
  find_wasm_instrument
  need_cargo wasm-tools
  WASM_TOOLS=$(command -v wasm-tools)
  need_node
  [ "$1" = v8 ] || need_python wasmtime
}
