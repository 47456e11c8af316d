#!/bin/bash
# Attacks the commands from outside. No part of the tests: it takes minutes, and chance decides.
#
#   scripts/attack.sh [--runs N] [--seed N] [ATTACK...]   kills limits disks memory changes leads names twice clients damaged
#
# kills are signals at random times, limits and disks end the room for files, memory that of the
# process, changes alter an input while it is read, leads has a module name files that are none
# of its own, names has names that do something to a terminal, twice is Ctrl-C pressed twice, clients keeps the server of --listen busy: N runs of each (default 100), of which each must
# end well, or with one message and nothing left. damaged runs 1000 N damaged modules and as many
# damaged profiles through the readers, the rewrite and all formats under sanitizers. Prints a table;
# exit code 1 where there was a fault, which stderr describes.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

runs=100
seed=1
attacks=()
while [ $# -gt 0 ]; do
  case $1 in
    --runs) runs=$2 && shift ;;
    --seed) seed=$2 && shift ;;
    -*) sed -n '2,/^set/s/^# \?//p' "$0" && exit 2 ;;
    *) attacks+=("$1") ;;
  esac
  shift
done
[ ${#attacks[@]} -gt 0 ] || attacks=(kills limits disks memory changes leads names twice clients damaged)

# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES libclang-rt-dev libcmocka-dev python3
need_node
need_npm @bytecodealliance/jco-transpile

build=${WI_BUILD:-build}
if [ ! -x "$build/wasm-perf" ]; then
  cmake -C src/cmake/presets/release.cmake -B "$build" -DNODE="$NODE" >/dev/null
  cmake --build "$build" -j"$(nproc)" >/dev/null
fi

# What is damaged: the seeds of fuzzing and what it has found.
attack_damaged() {
  local target seeds kept=build-sanitize/damaged line status=0
  configure build-sanitize -C src/cmake/presets/sanitize.cmake -DNODE="$NODE"
  cmake --build build-sanitize -j"$(nproc)" --target damage-module damage-profile >/dev/null
  "$NODE" tests/fuzz/seeds.mjs build-sanitize/seeds
  mkdir -p "$kept"
  for target in module profile; do
    seeds=("build-sanitize/seeds/$target"/* "tests/fuzz/found/$target"/*)
    line=$(nice build-sanitize/damage-$target $((runs * 1000)) "$seed" "$kept" "${seeds[@]}") || status=1
    echo "| a damaged $target, under sanitizers | ${line%% *} | | | | $(sed 's/.*, \([0-9]*\).*/\1/' <<<"$line") |"
  done
  return $status
}

outside=()
for attack in "${attacks[@]}"; do
  [ "$attack" = damaged ] || outside+=("$attack")
done
status=0
if [ ${#outside[@]} -gt 0 ]; then
  WI_BUILD=$build WASM_PERF_NODE=$NODE \
    python3 -B tests/hostile/attack.py --runs "$runs" --seed "$seed" "${outside[@]}" || status=1
fi
case " ${attacks[*]} " in *" damaged "*) attack_damaged || status=1 ;; esac
exit $status
