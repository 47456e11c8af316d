#!/bin/sh
# Writes a JavaScript module that contains files as texts, by their names without the extension:
#
#   programs.sh FILE.wasm...
#
# A byte is a letter of the same number, or one 256 higher if it would need an escape or is not ASCII. Unlike base64, this
# keeps bytes apart, so that what is compressed becomes a tenth smaller.
set -eu
text_of() { # FILE
  od -An -v -tu1 "$1" | LC_ALL=C awk '
    BEGIN {
      for (i = 0; i < 256; i++) {
        plain = i >= 32 && i < 127 && i != 39 && i != 60 && i != 92 # not quote, less-than sign, backslash
        letters[i] = plain ? sprintf("%c", i) : sprintf("%c%c", 196 + int(i / 64), 128 + i % 64) # in UTF-8
      }
    }
    { for (i = 1; i <= NF; i++) printf "%s", letters[$i] }'
}
echo "/** The commands: the low byte of each letter. */"
echo "export const PROGRAMS = {"
for file in "$@"; do
  printf "  '%s': '" "$(basename "$file" .wasm)"
  text_of "$file"
  echo "',"
done
echo "};"
