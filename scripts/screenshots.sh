#!/bin/bash
# Pictures of the flame graph and of the HTML report, as a browser shows them: profiles Ruby while it
# runs a script, and writes reports and PNG files of them to build/screenshots.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES chromium
need_node
need_npm @ruby/3.4-wasm-wasi @ruby/wasm-wasi puppeteer-core

export WI_BUILD=${WI_BUILD:-$PWD/build}
export WI_PROFILER_OPTIONS='{"recursion": "fold"}' # stacks of a depth that fits a picture
cmake -B "$WI_BUILD" >/dev/null
cmake --build "$WI_BUILD" -j"$(nproc)" >/dev/null

folder=$WI_BUILD/screenshots
mkdir -p "$folder"
modules=$WI_NPM/node_modules/@ruby/3.4-wasm-wasi/dist
"$WI_BUILD/wasm-instrument" --clock instructions "$modules/ruby.debug+stdlib.wasm" -o "$folder/ruby.prof.wasm" # with names
"$NODE" --no-warnings tests/real/run_ruby.mjs "$folder/ruby.prof.wasm" "$folder/ruby.wperf"
for format in svg html; do
  "$WI_BUILD/wasm-perf" report -o "$folder/ruby.$format" "$folder/ruby.wperf"
done
WI_CHROMIUM=$(command -v chromium) "$NODE" tests/browser/screenshots.mjs "$folder/ruby" "$folder"
ls "$folder"/*.png
