# A name ends where it ends, with a NUL inside or bytes that are not UTF-8: kept in the output, and said.
printf '\0asm\1\0\0\0\1\4\1\x60\0\0\3\3\2\0\0\x0a\7\2\2\0\x0b\2\0\x0b\0\x12\4name\1\x0b\2\0\3a\0b\1\3c\xffd' >m.wasm
wasm-instrument --list m.wasm
wasm-instrument m.wasm -o out.wasm && wasm-instrument --list out.wasm
wasm-instrument --embed m.wasm -o embedded.wasm
for file in m.wasm out.wasm embedded.wasm; do
  LC_ALL=C grep -caP '\x03a\x00b.\x03c\xffd' "$file"
done
