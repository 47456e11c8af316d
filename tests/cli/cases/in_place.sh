# The output may be the input.
echo "(module (func \$a (export \"a_export\") nop) (func \$b nop nop) (func \$_ZN3foo3barEv) (func \$_RNvCs1234_7mycrate3baz))" >m.wat; wat2wasm --debug-names m.wat -o m.wasm
wasm-instrument m.wasm -o a.wasm
chmod 640 m.wasm
wasm-instrument m.wasm -o m.wasm
cmp a.wasm m.wasm && echo same
stat -c %a m.wasm
ls
