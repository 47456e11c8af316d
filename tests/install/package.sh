#!/bin/bash
# Installs the build into a folder of its own and builds a client against it, by find_package and
# by pkg-config; runs the installed commands from there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${WI_BUILD:-$here/../../build}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cmake --install "$build" --prefix "$folder/prefix" >/dev/null
cmake -S "$here/client" -B "$folder/client" -DCMAKE_PREFIX_PATH="$folder/prefix" >/dev/null
cmake --build "$folder/client" >/dev/null
echo '(module (func (export "f")))' >"$folder/m.wat"
wat2wasm "$folder/m.wat" -o "$folder/m.wasm"
"$folder/client/client" "$folder/m.wasm"

# The build was configured for another prefix; the .pc files must name the one it was installed to.
PKG_CONFIG_PATH=$(dirname "$(find "$folder/prefix" -name wasm_perf.pc)")
export PKG_CONFIG_PATH
flags=$(pkg-config --static --cflags --libs wasm_instrument wasm_perf_report)
# shellcheck disable=SC2086
cc "$here/client/client.c" $flags -o "$folder/client-by-pkg-config"
"$folder/client-by-pkg-config" "$folder/m.wasm"

"$folder/prefix/bin/wasm-instrument" "$folder/m.wasm" -o "$folder/out.wasm"
"$folder/prefix/bin/wasm-perf" --version

# A man page for each command, where man looks; completions where the shells look.
pages="wasm-instrument wasm-perf"
for command in $("$folder/prefix/bin/wasm-perf" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  .*/\1/p'); do
  pages="$pages wasm-perf-$command"
done
share=$folder/prefix/share
for page in $pages; do
  test -s "$share/man/man1/$page.1" || { echo "no man page $page(1)" >&2; exit 1; }
done
for command in wasm-instrument wasm-perf; do
  bash -c '. "$1" && complete -p "$2" >/dev/null' bash \
    "$share/bash-completion/completions/$command" "$command"
  grep -qx "#compdef $command" "$share/zsh/site-functions/_$command"
  grep -q "^complete -c $command " "$share/fish/vendor_completions.d/$command.fish"
done
# Every link of the pages leads somewhere.
docs=$share/doc/wasm-instrument
test -s "$docs/LICENSE" && test -s "$docs/third_parties.md"
find "$docs" -name '*.md' | while read -r page; do
  { grep -oE '\]\([^)#]+' "$page" || true; } | cut -c 3- | while read -r link; do
    case $link in http*) continue ;; esac
    [ -e "$(dirname "$page")/$link" ] || { echo "$page: $link leads nowhere" >&2; exit 1; }
  done
done
echo "installed package: ok"
