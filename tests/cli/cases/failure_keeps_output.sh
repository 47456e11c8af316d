# A failure leaves an existing output as it was.
echo "(module (func \$a (export \"a_export\") nop) (func \$b nop nop) (func \$_ZN3foo3barEv) (func \$_RNvCs1234_7mycrate3baz))" >m.wat; wat2wasm --debug-names m.wat -o m.wasm
echo precious >x.wasm
head -c 20 m.wasm >broken.wasm
wasm-instrument broken.wasm -o x.wasm; echo "exit $?"
cat x.wasm
ls
