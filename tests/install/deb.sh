#!/bin/bash
# The packages of Debian: lintian finds no error in them, and the commands work from where they are unpacked.
set -euo pipefail
build=${WI_BUILD:-$(cd "$(dirname "$0")/../.." && pwd)/build}
command -v dpkg-deb >/dev/null || { echo "dpkg is not installed: not checked"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cpack --config "$build/CPackConfig.cmake" -G DEB -B "$folder" >"$folder/log" || { cat "$folder/log" >&2; exit 1; }
[ "$(find "$folder" -maxdepth 1 -name '*.deb' | wc -l)" -eq 2 ]
if command -v lintian >/dev/null; then
  lintian --allow-root --fail-on error "$folder"/*.deb
else
  echo "lintian is not installed: not checked"
fi
for package in "$folder"/*.deb; do
  dpkg-deb -x "$package" "$folder/root"
done
echo '(module (func (export "f")))' >"$folder/m.wat"
wat2wasm "$folder/m.wat" -o "$folder/m.wasm"
"$folder/root/usr/bin/wasm-instrument" "$folder/m.wasm" -o "$folder/out.wasm"
"$folder/root/usr/bin/wasm-perf" --version
for file in bin/wasm-perf share/wasm_instrument/wasm_perf.wasm share/man/man1/wasm-perf.1.gz lib/libwasm_perf.a \
  share/doc/wasm-instrument/copyright share/doc/libwasm-instrument-dev/changelog.gz; do
  test -s "$folder/root/usr/$file" || { echo "no package has $file" >&2; exit 1; }
done
echo "packages of Debian: ok"
