# '-' is standard input and output; the bytes are the same as by file.
echo "(module (func \$a (export \"a_export\") nop) (func \$b nop nop) (func \$_ZN3foo3barEv) (func \$_RNvCs1234_7mycrate3baz))" >m.wat; wat2wasm --debug-names m.wat -o m.wasm
wasm-instrument m.wasm -o a.wasm
wasm-instrument - -o - <m.wasm >b.wasm
cmp a.wasm b.wasm && echo same
echo nonsense | wasm-instrument - -o -
