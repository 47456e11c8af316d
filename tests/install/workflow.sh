#!/bin/sh
# Checks the workflow for GitHub in examples/bench with actionlint, which it builds once from Go's modules.
set -eu
cd "$(dirname "$0")/../.."
tool=${WI_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/wasm-instrument}/go/bin/actionlint
[ -x "$tool" ] || GOBIN=$(dirname "$tool") go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.7
exec "$tool" examples/bench/bench.yml
