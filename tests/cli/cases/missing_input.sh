# A file that is not there.
wasm-instrument nothing.wasm -o x.wasm; echo "exit $?"; ls *.wasm
