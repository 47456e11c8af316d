#!/bin/bash
# Command tests: each cases/NAME.sh runs in a folder of its own with the tools on PATH; what it
# prints on both streams and its exit code must equal cases/NAME.expected.
#
#   run.sh            compares
#   run.sh --rebase   writes the expectations anew, to be reviewed in the diff
set -u
here=$(cd "$(dirname "$0")" && pwd)
PATH=${WI_BUILD:-$here/../../build}:$PATH
export LC_ALL=C
passed=0 failed=0

run_case() { # prints what the case does, in the form of the expectation
  local folder
  folder=$(mktemp -d)
  (cd "$folder" && bash "$1" >stdout.txt 2>stderr.txt </dev/null; echo "exit $?" >exit.txt)
  cat "$folder/exit.txt"
  echo "--- stdout"
  cat "$folder/stdout.txt"
  echo "--- stderr"
  cat "$folder/stderr.txt"
  rm -rf "$folder"
}

for script in "$here"/cases/*.sh; do
  name=$(basename "$script" .sh)
  expected=${script%.sh}.expected
  actual=$(run_case "$script")
  if [ "${1:-}" = --rebase ]; then
    printf '%s\n' "$actual" >"$expected"
  fi
  if [ "$actual" = "$(cat "$expected" 2>/dev/null)" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $name"
    diff <(cat "$expected" 2>/dev/null) <(printf '%s\n' "$actual")
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
