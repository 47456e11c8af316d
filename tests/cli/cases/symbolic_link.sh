# A link as output stays a link.
echo "(module (func \$a (export \"a_export\") nop) (func \$b nop nop) (func \$_ZN3foo3barEv) (func \$_RNvCs1234_7mycrate3baz))" >m.wat; wat2wasm --debug-names m.wat -o m.wasm
cp m.wasm real.wasm
ln -s real.wasm link.wasm
wasm-instrument m.wasm -o link.wasm
readlink link.wasm
wasm-objdump -h real.wasm | grep -c wasm_instrument
