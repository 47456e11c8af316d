# What runs in the terminal of complete.zsh: the next prompt completes all lines.
fpath=($folder $fpath)
autoload -Uz compinit
compinit -u -D

offered=()
compadd() {
  # Calls that fill arrays offer nothing.
  if [[ " ${argv[1,(i)-|--]} " == *' -'[[:alpha:]]#[OAD]' '* ]]; then
    builtin compadd "$@"
    return
  fi
  local matches=()
  builtin compadd -O matches "$@"
  offered+=("${(@Q)matches}")
  builtin compadd "$@"
}

zle -C list-all list-choices _main_complete
complete-lines() {
  local line
  while IFS= read -r line; do
    offered=()
    BUFFER=${line/|/} CURSOR=${#line%%|*}
    zle list-all
    print -rl -- "${offered[@]}" ''
  done <$requests >$answers
  exit
}
zle -N zle-line-init complete-lines
