# Text of others reaches the terminal as one line that shows what it is: names in modules, files, options.
printf '(module (func $f (export "f")) (func (export "\\c2\\9b31m\\e2\\80\\aetxt\\e2\\80\\8b\\f3\\a0\\81\\81\\1b]0;T\\07\\0aok")))' >m.wat
wat2wasm m.wat -o m.wasm
printf '\x00\x11\x10.debug_\x1b]0;T\x07\n\xc2\x9b' >section
cat m.wasm section >"$(printf 'a\033]0;T\007\nb.wasm')"
wasm-instrument "$(printf 'a\033]0;T\007\nb.wasm')" -o x.wasm; echo "exit $?"
wasm-instrument --list m.wasm; echo "exit $?"
wasm-instrument "$(printf 'no\033[2J')" -o x.wasm; echo "exit $?"
wasm-instrument "$(printf -- '--no\033[2J')"; echo "exit $?"
wasm-instrument --clock "$(printf 'no\033[2J')"; echo "exit $?"
wasm-instrument --only "$(printf '@\342\200\256\033')" m.wasm -o x.wasm; echo "exit $?"
wasm-instrument -q --only "$(printf '/(\033/')" m.wasm -o x.wasm; echo "exit $?"
wasm-perf "$(printf 're\033[2J')"; echo "exit $?"
wasm-perf report "$(printf 'no\nwasm-perf: all is well')"; echo "exit $?"
