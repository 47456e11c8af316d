# Hooks inlined: no clock that is read outside, and not twice in one module.
echo "(module (func \$a (export \"a\") nop))" >m.wat; wat2wasm m.wat -o m.wasm
wasm-instrument m.wasm -o x.wasm --inline --clock wall; echo "exit $?"
wasm-instrument m.wasm -o x.wasm --clock sampled --host-calls; echo "exit $?"
wasm-instrument m.wasm -o out.wasm --inline; echo "exit $?"
wasm-instrument out.wasm -o x.wasm --inline --force; echo "exit $?"
wasm-instrument out.wasm -o twice.wasm --force; echo "exit $?"
ls
