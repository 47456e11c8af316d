#!/bin/bash
# The README's commands in a clean clone, with an empty HOME, an empty cache and nothing in the environment: the demo, and the
# build by hand with its installation (into a folder). Needs root where a package is missing.
# That build has another folder and time zone than the one in build/, and must give the same bytes.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/install/readme.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q . "$work/clone"
mkdir "$work/home"
readme_block Install >"$work/by_hand.sh"
echo 'APT::Get::Assume-Yes "true";' >"$work/apt.conf"

bare() { # COMMAND...: what is passed on is the network's: a proxy, certificates
  env -i HOME="$work/home" TZ=Asia/Tokyo PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    APT_CONFIG="$work/apt.conf" DEBIAN_FRONTEND=noninteractive DESTDIR="$work/installed" \
    ${http_proxy:+http_proxy="$http_proxy"} ${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS"} "$@"
}

pushd "$work/clone" >/dev/null
bare scripts/demo.sh | tee "$work/demo.txt"
test -s build/demo/words.svg || test -s build/demo/words.html
grep -q "(sampled)" "$work/demo.txt" || { echo "the demo shows no time" >&2; exit 1; }
bare bash -exc ". '$work/by_hand.sh'" >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 1; }
popd >/dev/null
test -x "$work/installed/usr/local/bin/wasm-perf"
test -s "$work/installed/usr/local/share/man/man1/wasm-perf.1"
# A build of the same commit only: --version has that in it.
if git diff --quiet HEAD && [ "$(build/wasm-perf --version)" = "$("$work/clone/build/wasm-perf" --version)" ]; then
  for file in wasm-instrument wasm-perf libwasm_instrument.a libwasm_perf.a wasm_perf.wasm npm/js/package/wasm-perf.wasm; do
    cmp "build/$file" "$work/clone/build/$file"
  done
fi
echo "the demo and the build by hand, in a clean clone: ok"
