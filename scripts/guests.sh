#!/bin/bash
# Programs whose own stacks are not those of WebAssembly: goroutines of Go, for GOOS=wasip1 and js.
# Each counts its calls itself and asks its runtime who made them; a profile must say the same.
#
#   scripts/guests.sh [VERSION...]   of Go, as GOTOOLCHAIN has them; default: the one that is there, and the
#                                    release before
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
need_node
command -v go >/dev/null || need_debian golang-go
[ $# -gt 0 ] || set -- local go1.25.5
WASM_PERF_NODE=$NODE "$NODE" tests/guests/go.mjs "$@"
