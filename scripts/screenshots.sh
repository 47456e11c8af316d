#!/bin/bash
# Pictures of the flame graph and of the HTML report, as a browser shows them: profiles SQLite
# (examples/node) and writes its reports and PNG files of them to build/screenshots.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES chromium
need_node
need_npm sql.js puppeteer-core

export WI_BUILD=${WI_BUILD:-$PWD/build}
cmake -B "$WI_BUILD" >/dev/null
cmake --build "$WI_BUILD" -j"$(nproc)" >/dev/null

folder=$WI_BUILD/screenshots
mkdir -p "$folder/node_modules"
ln -sfn "$WI_NPM/node_modules/sql.js" "$folder/node_modules/sql.js"
cp examples/node/main.mjs "$folder/"
"$WI_BUILD/wasm-instrument" "$WI_NPM/node_modules/sql.js/dist/sql-wasm-debug.wasm" -o "$folder/sql.prof.wasm"
(cd "$folder" && WASM_PERF_SHARE=$WI_BUILD "$NODE" main.mjs sql.prof.wasm sqlite.wperf)
for format in svg html; do
  "$WI_BUILD/wasm-perf" report -o "$folder/sqlite.$format" "$folder/sqlite.wperf"
done
WI_CHROMIUM=$(command -v chromium) "$NODE" tests/browser/screenshots.mjs "$folder/sqlite" "$folder"
ls "$folder"/*.png
