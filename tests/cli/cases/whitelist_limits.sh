# A regular expression that would grow or search without bound is refused, by the list or by a name.
echo "(module (func \$aab) (func \$xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx))" >m.wat; wat2wasm --debug-names m.wat -o m.wasm
echo '/(((a{1000}){1000}){1000}){1000}/' >grows.txt
echo '/^(x+x+)+[yz]/' >searches.txt
wasm-instrument m.wasm -o x.wasm -w grows.txt; echo "exit $?"
wasm-instrument m.wasm -o x.wasm -w searches.txt; echo "exit $?"
wasm-instrument m.wasm --list -w searches.txt; echo "exit $?"
ls
