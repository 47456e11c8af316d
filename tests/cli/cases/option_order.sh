# Patterns of all options form one list, in order.
echo "(module (func \$a (export \"a_export\") nop) (func \$b nop nop) (func \$_ZN3foo3barEv) (func \$_RNvCs1234_7mycrate3baz))" >m.wat; wat2wasm --debug-names m.wat -o m.wasm
wasm-instrument m.wasm --list --exclude a --only a | awk '$3=="+"{print $4}'
echo ==
wasm-instrument m.wasm --list --only '*' --exclude a | awk '$3=="+"{print $4}'
