# Warnings are told unless -q; -v tells what was done.
echo "(module (func \$a (export \"a_export\") nop) (func \$b nop nop) (func \$_ZN3foo3barEv) (func \$_RNvCs1234_7mycrate3baz))" >m.wat; wat2wasm --debug-names m.wat -o m.wasm
wasm-instrument m.wasm -o x.wasm --only nothing
wasm-instrument m.wasm -o x.wasm --only nothing -q
wasm-instrument m.wasm -o x.wasm -v 2>&1 | sed 's/[0-9.]* ms of CPU/N ms of CPU/'
