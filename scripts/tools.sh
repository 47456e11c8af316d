#!/bin/bash
# Has other tools record a program: Node.js, Chromium, Firefox, Go, py-spy, perf. Prints a table of what each has in its
# file, and what wasm-perf top and wasm-perf's page show of it. Exit code 1 if they differ.
#
#   scripts/tools.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
need_debian chromium firefox-esr linux-perf gcc python3
command -v go >/dev/null || need_debian golang-go
need_node
need_npm speedscope @firefox-devtools/profiler-cli puppeteer-core
[ -x "$WI_PYTHON/bin/py-spy" ] || need_python py_spy=py-spy
export WI_BUILD=${WI_BUILD:-$PWD/build} WI_SOURCE=$PWD
[ -x "$WI_BUILD/wasm-perf" ] || { echo "tools.sh: build first: cmake -B build && cmake --build build" >&2; exit 1; }
WI_CHROMIUM=$(command -v chromium) WI_FIREFOX=$(command -v firefox-esr) WI_GO=$(command -v go) \
  exec "$NODE" tests/browser/tools_table.mjs
