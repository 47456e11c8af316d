# One module at a time.
echo "(module (func \$a (export \"a_export\") nop) (func \$b nop nop) (func \$_ZN3foo3barEv) (func \$_RNvCs1234_7mycrate3baz))" >m.wat; wat2wasm --debug-names m.wat -o m.wasm
wasm-instrument m.wasm m.wasm -o x.wasm
