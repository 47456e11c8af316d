#!/bin/bash
# What the libraries offer and what they need: public names begin with wasm_perf_ or wi_ and stand in
# the installed headers, nothing else of a short name leaks, and the runtime needs neither zlib, utf8proc nor
# the reports. No object of libiberty that is plain LGPL is in the commands.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${WI_BUILD:-$here/../../build}
include=$here/../../include
failed=0

fail() { echo "$*" >&2; failed=1; }

symbols() { nm --extern-only --format=posix "$@" 2>/dev/null | awk 'NF > 1 && !/:$/ {print $2, $1}' | sort -u; }
defined() { symbols --defined-only "$1" | awk '{print $2}'; }
needed() { comm -23 <(symbols --undefined-only "$1" | awk '{print $2}') <(defined "$1"); }

# public LIBRARY PREFIX HEADER...: the symbols of that prefix are just those that the headers declare.
public() {
  local library=$1 prefix=$2 symbol declared
  shift 2
  declared=$(cat "$@" | tr -c 'A-Za-z0-9_' '\n' | sort -u)
  while read -r symbol; do
    grep -qx "$symbol" <<<"$declared" || fail "$library: $symbol is in no public header"
  done < <(defined "$build/$library" | grep "^$prefix")
}

public libwasm_perf.a wasm_perf_ "$include"/wasm_perf/*.h
public libwasm_perf_report.a wasm_perf_ "$include"/wasm_perf/*.h

for library in libwasm_perf libwasm_perf_report libwasm_instrument; do
  while read -r symbol; do
    fail "$library.a: $symbol has no prefix"
  done < <(defined "$build/$library.a" | grep -vE '^(wi_|wasm_perf_|_Z|_sch_istable$|DW\.|__asan|__odr|__ubsan|__sanitizer)')
done

for prefix in deflate crc32 compress inflate utf8proc; do
  needed "$build/libwasm_perf.a" | grep "^$prefix" && fail "libwasm_perf.a needs $prefix"
done
! needed "$build/libwasm_perf.a" | grep -E '^(wi_|wasm_perf_)' || fail "libwasm_perf.a needs more of us"

for program in wasm-instrument wasm-perf; do
  ! nm "$build/$program" | grep -w _sch_toupper || fail "$program holds libiberty's safe-ctype.o"
done

count=$(defined "$build/libwasm_perf.a" | grep -c ^wasm_perf_)
[ "$failed" -eq 0 ] && echo "libwasm_perf.a: $count public symbols; all three libraries: ok"
exit "$failed"
