# Values that cannot be understood are wrong usage.
echo "(module (func \$a (export \"a_export\") nop) (func \$b nop nop) (func \$_ZN3foo3barEv) (func \$_RNvCs1234_7mycrate3baz))" >m.wat; wat2wasm --debug-names m.wat -o m.wasm
wasm-instrument m.wasm -o x.wasm --min-instructions many; echo "exit $?"
wasm-instrument m.wasm -o x.wasm --min-instructions -1; echo "exit $?"
wasm-instrument m.wasm -o x.wasm --clock sundial; echo "exit $?"
wasm-instrument m.wasm -o x.wasm --clock hybrid; echo "exit $?"
wasm-instrument m.wasm -o x.wasm --inline; echo "exit $?"
wasm-instrument m.wasm -o x.wasm --only '/(/'; echo "exit $?"
wasm-instrument m.wasm -o x.wasm --only '@x'; echo "exit $?"
wasm-instrument m.wasm -o x.wasm --only '@5-2'; echo "exit $?"
wasm-instrument m.wasm -o x.wasm --only ''; echo "exit $?"
ls
