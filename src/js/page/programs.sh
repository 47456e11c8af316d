#!/bin/sh
# Writes a JavaScript module that contains files in base64, by their names without the extension:
#
#   programs.sh FILE.wasm...
set -eu
echo "/** The commands, in base64. */"
echo "export const PROGRAMS = {"
for file in "$@"; do
  printf "  '%s': '" "$(basename "$file" .wasm)"
  base64 <"$file" | tr -d '\n'
  echo "',"
done
echo "};"
