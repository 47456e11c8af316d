# The same input and options give the same bytes.
echo "(module (func \$a (export \"a_export\") nop) (func \$b nop nop) (func \$_ZN3foo3barEv) (func \$_RNvCs1234_7mycrate3baz))" >m.wat; wat2wasm --debug-names m.wat -o m.wasm
wasm-instrument m.wasm -o a.wasm
wasm-instrument m.wasm -o b.wasm
cmp a.wasm b.wasm && echo same
