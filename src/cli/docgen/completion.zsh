
# The functions of the profile that the line names, else of the only one in the folder.
_functions_of_profile() {
  local word file
  local -a profiles names
  profiles=(*.wperf(N-.))
  (($#profiles != 1)) || file=$profiles[1]
  for word in "${(@Q)words}"; do
    [[ $word != *.wperf || ! -f $word ]] || file=$word
  done
  [[ -n $file ]] || return 1
  names=("${(@f)$(wasm-perf functions --limit 1000 --match "${(Q)PREFIX}*" -- $file 2>/dev/null)}")
  compadd -a names
}
