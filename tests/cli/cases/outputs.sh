# What an output replaces, and what it does not.
printf '\0asm\1\0\0\0' >m.wasm
umask 022
echo old >lends.wasm; chmod 6755 lends.wasm; wasm-instrument m.wasm -o lends.wasm; stat -c %a lends.wasm
echo old >read_only.wasm; chmod 444 read_only.wasm; wasm-instrument m.wasm -o read_only.wasm; echo "exit $?"; cat read_only.wasm
mkdir there; ln -s there/new.wasm dangling.wasm; wasm-instrument m.wasm -o dangling.wasm; readlink dangling.wasm; ls there
ln -s loop.wasm loop.wasm; wasm-instrument m.wasm -o loop.wasm; echo "exit $?"; readlink loop.wasm
for size in 244 250 250; do
  long=$(printf '%0*d' "$size" 0).wasm; wasm-instrument m.wasm -o "$long" && ls | grep -c "^$long$"
done
umlauts=$(printf '\303\274%.0s' $(seq 125)).wasm; wasm-instrument m.wasm -o "$umlauts" && ls | grep -c "^$umlauts$"
wasm-instrument m.wasm -o - >/dev/full; echo "exit $?"
wasm-instrument - -o x.wasm </dev/null; echo "exit $?"
cp m.wasm huge.wasm; truncate -s 5G huge.wasm; wasm-instrument huge.wasm -o x.wasm; echo "exit $?"
ls
