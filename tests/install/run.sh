#!/bin/bash
# Installs the build into a folder of its own and builds a client against it, by find_package and
# by pkg-config; runs the installed commands from there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${WI_BUILD:-$here/../../build}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cmake --install "$build" --prefix "$folder/prefix" >/dev/null
cmake -S "$here" -B "$folder/client" -DCMAKE_PREFIX_PATH="$folder/prefix" >/dev/null
cmake --build "$folder/client" >/dev/null
echo '(module (func (export "f")))' >"$folder/m.wat"
wat2wasm "$folder/m.wat" -o "$folder/m.wasm"
"$folder/client/client" "$folder/m.wasm"

# The .pc files name the prefix the build was configured for; here it is elsewhere.
PKG_CONFIG_PATH=$(dirname "$(find "$folder/prefix" -name wasm_perf.pc)")
export PKG_CONFIG_PATH
flags=$(pkg-config --define-variable=prefix="$folder/prefix" --static --cflags --libs \
  wasm_instrument wasm_perf)
# shellcheck disable=SC2086
cc "$here/client.c" $flags -o "$folder/client-by-pkg-config"
"$folder/client-by-pkg-config" "$folder/m.wasm"

"$folder/prefix/bin/wasm-instrument" "$folder/m.wasm" -o "$folder/out.wasm"
"$folder/prefix/bin/wasm-perf" --version
echo "installed package: ok"
