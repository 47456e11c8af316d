#!/bin/bash
# The README's build by hand with its installation (into a folder), in a clean clone whose name has a blank, with an
# empty HOME and nothing in the environment. Needs root where a package is missing.
# That build has another folder and time zone than the one of WI_BUILD (default: build), and must give the same bytes.
# Then the demo in that clone at another place, so that its build was made elsewhere, with tools of other versions
# first on PATH; and again without a network.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/install/readme.sh
. tests/install/bare.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clone="$work/a clone" moved="$work/the clone, moved" build=${WI_BUILD:-build}
git clone -q . "$clone"
mkdir "$work/home" "$work/early"
readme_block Install >"$work/by_hand.sh"
echo 'APT::Get::Assume-Yes "true";' >"$work/apt.conf"

cd_run() { # FOLDER NAME COMMAND...: prints what the command wrote if it fails
  (cd "$1" && "${@:3}") >"$work/$2.txt" 2>&1 || { tail -n 40 "$work/$2.txt" >&2; echo "$2: failed" >&2; exit 1; }
}

cd_run "$clone" "the build by hand" bare "$work/home" TZ=Asia/Tokyo APT_CONFIG="$work/apt.conf" \
  DEBIAN_FRONTEND=noninteractive DESTDIR="$work/installed" bash -exc ". '$work/by_hand.sh'"
test -x "$work/installed/usr/local/bin/wasm-perf"
test -s "$work/installed/usr/local/share/man/man1/wasm-perf.1"
# A build of the same commit only: --version has that in it.
if git diff --quiet HEAD && [ "$("$build/wasm-perf" --version)" = "$("$clone/build/wasm-perf" --version)" ]; then
  for file in wasm-instrument wasm-perf libwasm_instrument.a libwasm_perf.a wasm_perf.wasm npm/js/package/wasm-perf.wasm; do
    cmp "$build/$file" "$clone/build/$file"
  done
fi

for tool in wasmtime wasm-opt; do
  printf '#!/bin/sh\necho "%s 0.1.0"\n[ "$1" = --version ]\n' "$tool" >"$work/early/$tool"
done
cat >"$work/early/node" <<'END' # says that it is old, and runs npm
#!/bin/sh
case "$*" in
  *process.versions.node*) echo 12 ;;
  *) PATH=/usr/sbin:/usr/bin:/sbin:/bin exec node "$@" ;;
esac
END
chmod +x "$work"/early/*
mv "$clone" "$moved"
demo() { # NAME [COMMAND that runs another...]
  cd_run "$moved" "$1" bare "$work/home" PATH="$work/early:/usr/sbin:/usr/bin:/sbin:/bin" "${@:2}" scripts/demo.sh
  test -s "$moved/build/demo/words.svg"
  grep -q "(sampled)" "$work/$1.txt" || { echo "$1 shows no time" >&2; exit 1; }
  rm "$moved/build/demo/words.svg"
}
demo "the demo"
! unshare --net true 2>/dev/null || demo "the demo without a network" unshare --net
grep -q "was built in" "$work/the demo.txt"
echo "the build by hand, in a clean clone, and the demo where it was moved: ok"
