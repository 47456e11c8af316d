# A faulty line is named by its offset.
echo "(module (func \$a (export \"a_export\") nop) (func \$b nop nop) (func \$_ZN3foo3barEv) (func \$_RNvCs1234_7mycrate3baz))" >m.wat; wat2wasm --debug-names m.wat -o m.wasm
printf 'a\n/[/\n' >list.txt
wasm-instrument m.wasm -o x.wasm -w list.txt; echo "exit $?"
wasm-instrument m.wasm -o x.wasm -w no_such_list; echo "exit $?"
ls
