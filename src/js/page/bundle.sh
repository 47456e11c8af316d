#!/bin/sh
# Joins modules into one script without imports, for pages:
#
#   bundle.sh FOLDER FILE...   writes to stdout; a file comes after those that it imports
#
# Understands what these modules use: `import { a, b } from './file.mjs';` over one line or several,
# and `export` in front of a declaration. Each module keeps its own names.
set -eu
folder=$1
shift
known=
for file in "$@"; do
  # shellcheck disable=SC2013 # names without blanks
  for import in $(sed -n "s/.* from '.*\/\(.*\.mjs\)';/\1/p" "$folder/$file"); do
    case "$known " in
      *" $import "*) ;;
      *) echo "bundle.sh: $file imports $import, which does not stand before it" >&2; exit 1 ;;
    esac
  done
  known="$known ${file##*/}"
done
echo "/* wasm-perf: see https://www.npmjs.com/package/wasm-perf */"
echo "(() => {"
echo "'use strict';"
for file in "$@"; do
  awk -v file="$file" '
    function variable(path) {
      sub(/.*\//, "", path)
      sub(/\.mjs.*/, "", path)
      return "module_" path
    }
    BEGIN { print "const " variable(file) " = (() => {" }
    /^import / { importing = 1; text = "" }
    importing {
      text = text " " $0
      if ($0 !~ /;$/) next
      importing = 0
      match(text, /\{.*\}/)
      names = substr(text, RSTART, RLENGTH)
      gsub(/ as /, ": ", names)
      path = text
      sub(/.* from ./, "", path)
      print "const " names " = " variable(path) ";"
      next
    }
    /^export / {
      sub(/^export /, "")
      split($0, words, /[ (=]+/)
      at = words[1] == "async" ? 3 : 2
      name = words[at]
      exports = exports name ", "
    }
    { print }
    END { print "return { " exports "};\n})();" }
  ' "$folder/$file"
done
echo "})();"
