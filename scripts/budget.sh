#!/bin/bash
# Records SQLite, esbuild, Ruby and Python with --budget 3%: prints what hooks and samples were predicted and
# measured to cost, how much of the time stands under its own function, and how much under functions whose
# calls are exact, as a Markdown table. Exit code 1 if one costs more or less than 90 % is attributed. Needs an
# idle machine.
#
#   scripts/budget.sh [--budget PERCENT] [PROGRAM...]   PROGRAM: SQLite, esbuild, Ruby, Python
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
budget=3
while [ $# -gt 0 ]; do
  case $1 in
    --budget) budget=${2%\%}; shift 2 ;;
    *) break ;;
  esac
done
# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES
need_node
need_npm sql.js esbuild-wasm @ruby/3.4-wasm-wasi @ruby/wasm-wasi pyodide
export WI_BUILD=${WI_BUILD:-$PWD/build}
configure "$WI_BUILD"
cmake --build "$WI_BUILD" -j"$(nproc)" >/dev/null
exec "$NODE" --no-warnings tests/bench/budget.mjs "$budget" "$@"
