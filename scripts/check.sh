#!/bin/bash
# What to run before each commit; about a minute once everything is built.
#
#   scripts/check.sh           builds; unit, golden and command tests; the texts
#   scripts/check.sh --texts   only what needs no build: form of C, shell scripts, spelling, prose, structure
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

need_debian clang-format shellcheck codespell python3

check_texts() {
  find include src tests examples \( -name '*.[ch]' -o -name '*.cc' \) ! -name '*.prof.*' -print0 |
    xargs -0 clang-format --dry-run --Werror
  find scripts tests .ci \( -name '*.sh' -o -path .ci/run \) -print0 |
    xargs -0 shellcheck -x --severity=warning
  codespell --skip='*.names' .ci examples include scripts src tests README.md
  scripts/structure.py --check
  scripts/prose.py
  scripts/removed.py
  scripts/unused.py
  echo "texts: ok"
}

check_texts
[ "${1:-}" != --texts ] || exit 0

# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES libcmocka-dev
need_node
need_npm @bytecodealliance/jco-transpile
configure build-test -C src/cmake/presets/release.cmake -DNODE="$NODE"
cmake --build build-test -j"$(nproc)" | grep -E 'warning|error' || true
cmake --build build-test >/dev/null
WASM_PERF_NODE=$NODE ctest --test-dir build-test --no-tests=error --output-on-failure -j"$(nproc)" \
  -R '^(unit\.|rewrite\.golden|report\.golden|cli_instrument|errors|docgen\.(tables|pages)|install\.symbols)' |
  grep -vE '^ *(Start|[0-9]+/[0-9]+ Test)'
