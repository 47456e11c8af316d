#!/bin/bash
# Debug information of real modules before and after a rewrite: C, C++, Rust and Ruby's debug build, in
# both forms of hooks, as llvm-symbolizer, binutils' addr2line and gimli's addr2line see every
# instruction. Prints a table; fails where a place has changed.
#
#   scripts/debug.sh [--every N]    every Nth instruction of Ruby's, which has six millions (default 25)
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

every=25
[ "${1:-}" != --every ] || every=$2

# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES $WASI_PACKAGES libcmocka-dev llvm binutils
need_node
need_npm @bytecodealliance/jco-transpile @ruby/3.4-wasm-wasi
command -v cargo >/dev/null || need_debian cargo

cmake -B build -DBUILD_TESTING=ON -DNODE="$NODE" >/dev/null
cmake --build build -j"$(nproc)" --target wasm-instrument debug-instructions >/dev/null
CARGO_TARGET_DIR=$PWD/build/gimli cargo build --quiet --release --locked \
  --manifest-path tests/debug/gimli/Cargo.toml
export WI_BUILD=$PWD/build WI_GIMLI=$PWD/build/gimli/release/debug-gimli

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
target=--target=wasm32-wasi
libc=$(dirname "$(clang $target --print-file-name=libc.a)")
for version in 4 5; do
  clang $target -O2 -gdwarf-$version -c tests/bench/programs/words.c -o "$folder/words.o"
  wasm-ld "$(clang $target --print-file-name=crt1-command.o)" "$folder/words.o" -L"$libc" -lc \
    "$(clang $target --rtlib=compiler-rt --print-libgcc-file-name)" -o "$folder/c-$version.wasm"
  clang $target -O2 -gdwarf-$version -fno-exceptions -fno-rtti -c tests/debug/programs/third.cc \
    -o "$folder/third.o"
  wasm-ld --no-entry --export=measure --allow-undefined "$folder/third.o" -o "$folder/c++-$version.wasm"
done
modules=("C, DWARF 4=$folder/c-4.wasm" "C, DWARF 5=$folder/c-5.wasm" \
  "C++, DWARF 4=$folder/c++-4.wasm" "C++, DWARF 5=$folder/c++-5.wasm")
if rustup target list --installed 2>/dev/null | grep -q wasm32-wasip1; then
  for version in 4 5; do
    rustc --target wasm32-wasip1 -O -g -C dwarf-version=$version tests/bench/programs/shapes.rs \
      -o "$folder/rust-$version.wasm" 2>/dev/null || rustc --target wasm32-wasip1 -O -g -Z dwarf-version=$version \
      tests/bench/programs/shapes.rs -o "$folder/rust-$version.wasm"
    modules+=("Rust, DWARF $version=$folder/rust-$version.wasm")
  done
fi
"$NODE" tests/debug/table.mjs "${modules[@]}" \
  --every "$every" "Ruby, DWARF 4=$WI_NPM/node_modules/@ruby/3.4-wasm-wasi/dist/ruby.debug+stdlib.wasm"
