#!/bin/bash
# Follows the README's build by hand word by word on a machine that has nothing but Debian: a root
# made by debootstrap, which is kept in the cache, copied, and entered by chroot. Needs root.
#
#   tests/install/debian.sh [FOLDER]   of the sources; default: this repository at HEAD
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/scripts/setup.sh"

suite=bookworm
base=$WI_CACHE/debian-$suite
packages=$WI_CACHE/debian-packages
need_debian debootstrap
if [ ! -e "$base/complete" ]; then
  rm -rf "$base"
  debootstrap --variant=minbase "$suite" "$base" http://deb.debian.org/debian >/dev/null
  touch "$base/complete"
fi

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp -a "$base/." "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
mkdir -p "$packages" "$root/src"
echo 'APT::Get::Assume-Yes "true";' >"$root/etc/apt/apt.conf.d/99-unattended"
if [ $# -gt 0 ]; then cp -a "$1/." "$root/src"; else git -C "$here" archive HEAD | tar -x -C "$root/src"; fi

# The first block of commands under the README's heading.
awk '/^## / {here = /^## Build/} here && /^```/ {if (inside) exit; inside = 1; next} inside' \
  "$here/README.md" >"$root/src/by_hand.sh"
grep -q 'cmake --install' "$root/src/by_hand.sh" || { echo "the README has no such block" >&2; exit 1; }
cat >"$root/src/then.sh" <<'THEN'
set -e
printf '\0asm\1\0\0\0' >/tmp/empty.wasm
wasm-instrument /tmp/empty.wasm -o /tmp/out.wasm
wasm-perf --version
test -s /usr/local/share/wasm_instrument/wasm_perf.wasm
test -s /usr/local/share/man/man1/wasm-perf.1
PKG_CONFIG_PATH=/usr/local/lib/pkgconfig pkg-config --exists --print-errors wasm_perf wasm_perf_report wasm_instrument
THEN

# In namespaces of its own, so that nothing stays mounted or running.
unshare --mount --pid --fork bash -c '
  mount -t proc proc "$1/proc"
  mount --bind "$2" "$1/var/cache/apt/archives"
  exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy=$http_proxy} \
    chroot "$1" bash -exc "cd /src && apt-get update -qq && . ./by_hand.sh && . ./then.sh"
' bash "$root" "$packages" >"$root.log" 2>&1 || { tail -n 40 "$root.log" >&2; echo "see $root.log" >&2; exit 1; }
rm -f "$root.log"
echo "the build by hand, on a bare Debian $suite: ok"
