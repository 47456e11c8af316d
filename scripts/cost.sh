#!/usr/bin/env bash
# What the embedded form costs in two revisions, measured side by side in one run:
#
#     cost.sh BEFORE [AFTER]    default of AFTER: HEAD
#
# Builds wasm-instrument of both below the build folder and prints a Markdown table of SQLite, esbuild and Python
# (pyodide). Takes about a quarter of an hour; for a machine that does nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

[ $# -ge 1 ] || { sed -n 's/^# \{0,1\}//p' "$0" | tail -n +2 && exit 2; }
# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES
need_node
need_npm sql.js esbuild-wasm pyodide
export WI_BUILD=${WI_BUILD:-$PWD/build}

# $1: a revision -> the path of its wasm-instrument
build_revision() {
  local commit folder
  commit=$(git rev-parse --verify "$1^{commit}")
  folder=$WI_BUILD/revisions/$commit
  mkdir -p "$folder/source"
  git archive "$commit" | tar -x -C "$folder/source"
  cmake -S "$folder/source" -B "$folder/build" -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=Release >&2
  cmake --build "$folder/build" -j"$(nproc)" --target wasm-instrument >&2
  echo "$folder/build/wasm-instrument"
}

before=$(build_revision "$1")
after=$(build_revision "${2:-HEAD}")
exec "$NODE" --no-warnings tests/bench/revisions.mjs "$before" "$after"
