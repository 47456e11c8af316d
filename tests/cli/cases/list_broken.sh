# A list of a broken module fails, and says why, whatever chooses.
echo "(module (func \$a (export \"a_export\") nop) (func \$b nop nop) (func \$_ZN3foo3barEv) (func \$_RNvCs1234_7mycrate3baz))" >m.wat; wat2wasm --debug-names m.wat -o m.wasm
head -c 20 m.wasm >broken.wasm
wasm-instrument --list broken.wasm; echo "exit $?"
printf '\0asm\1\0\0\0\1\4\1\x60\0\0\3\2\1\0\xa\5\1\3\0\x27\xb' >opcode.wasm
wasm-instrument --list opcode.wasm; echo "exit $?"
wasm-instrument --list --min-instructions 1 opcode.wasm; echo "exit $?"
