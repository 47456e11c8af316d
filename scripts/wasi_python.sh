#!/bin/bash
# Builds CPython for WASI from Debian's sources, those of a suite newer than the machine's, as a command that
# takes a script: FOLDER/python.wasm with names, FOLDER/stripped.wasm without, FOLDER/lib/python3.13 with the modules that
# are written in Python. Takes two minutes, once; need_wasi_python of setup.sh calls it. Nothing is installed but
# a compiler (whoever calls this has the lock of setup.sh): headers, libraries and the Python that a cross build calls are unpacked beside the sources.
#
#   scripts/wasi_python.sh FOLDER
set -euo pipefail
. "$(dirname "$0")/setup.sh"
suite=trixie version=3.13
result=$(mkdir -p "$1" && cd "$1" && pwd)
work=$result/build

# Reads the suite's lists without touching the machine's own.
use_suite() {
  local debian="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $suite main"
  mkdir -p "$work"/apt/{state/lists/partial,cache/archives/partial,none} "$work"/packages
  printf '%s\n' "deb $debian" "deb-src $debian" >"$work/apt/sources.list"
  printf 'Dir::%s "%s";\n' State "$work/apt/state" Cache "$work/apt/cache" Etc::sourcelist "$work/apt/sources.list" \
    Etc::sourceparts "$work/apt/none" >"$work/apt.conf"
  echo 'APT::Sandbox::User "root";' >>"$work/apt.conf"
  export APT_CONFIG=$work/apt.conf
  apt-get update -qq
}

# What a build needs beside the compiler: {sys: for WASI, host: Python of the same version, src}.
unpack() {
  local package
  mkdir -p "$work"/{sys,host,src,obj}
  cd "$work/packages"
  apt-get download -qq wasi-libc libc6 "python$version-minimal" "libpython$version-minimal" "libpython$version-stdlib"
  apt-get source -qq --download-only --tar-only "python$version"
  for package in *.deb; do
    case $package in
      wasi-libc*) dpkg-deb -x "$package" "$work/sys" ;;
      *) dpkg-deb -x "$package" "$work/host" ;;
    esac
  done
  tar -xf ./*.orig.tar.xz -C "$work/src" --strip-components=1
}

# Runs with the C library of its own suite.
write_host_python() {
  local libraries=$work/host/usr/lib/x86_64-linux-gnu
  cat >"$work/python" <<END
#!/bin/sh
PYTHONHOME=$work/host/usr exec $libraries/ld-linux-x86-64.so.2 --library-path $libraries:/usr/lib/x86_64-linux-gnu \
  $work/host/usr/bin/python$version "\$@"
END
  chmod +x "$work/python"
}

# Modules that take long to build and that no test uses.
LEFT_OUT="_decimal _elementtree pyexpat _codecs_cn _codecs_hk _codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw
  _multibytecodec _md5 _sha1 _sha2 _sha3 _blake2 _sqlite3 _ssl _hashlib _bz2 _lzma zlib _ctypes readline _interpreters
  _interpchannels _interpqueues _zoneinfo"

build() {
  local module settings=()
  for module in $LEFT_OUT; do settings+=("py_cv_module_$module=n/a"); done
  cd "$work/obj"
  CONFIG_SITE=$work/src/Tools/wasm/config.site-wasm32-wasi PKG_CONFIG=false AR=llvm-ar-19 RANLIB=llvm-ranlib-19 \
    CC="clang-19 --target=wasm32-wasi --sysroot=$work/sys/usr" CFLAGS=-w \
    ../src/configure --host=wasm32-wasip1 --build=x86_64-linux-gnu --with-build-python="$work/python" --prefix=/ \
    --disable-test-modules --without-ensurepip "${settings[@]}" >configure.log 2>&1
  nice -n 10 make -j"$(nproc)" python.wasm OPT='-O2 -DNDEBUG' >make.log 2>&1 || { tail -n 20 make.log >&2; return 1; }
}

install_debian clang-19 lld-19 llvm-19 libclang-rt-19-dev-wasm32 xz-utils dpkg-dev libexpat1 zlib1g
rm -rf "$work"
use_suite
unpack
write_host_python
build
llvm-strip-19 python.wasm -o "$result/stripped.wasm"
mkdir -p "$result/lib"
cp -r "$work/src/Lib" "$result/lib/python$version"
rm -rf "$result/lib/python$version"/{test,idlelib,tkinter,ensurepip}
mkdir -p "$result/lib/python$version/lib-dynload" # else Python warns that it is missing
mv python.wasm "$result/python.wasm"
cd "$result" && rm -rf "$work"
