# complete.bash FOLDER [PACKAGE]: for each line of standard input what bash offers at its end or |, a
# candidate a line, then an empty line. With the file of the package bash-completion that is loaded,
# and finds the completions in FOLDER/completions by the commands' names.
folder=$1
if [ -n "${2:-}" ]; then
  BASH_COMPLETION_USER_DIR=$folder
  . "$2"
fi

load() { # NAME
  local loader
  if loader=$(complete -p -D 2>/dev/null); then
    loader=${loader#*-F }
    "${loader%% *}" "$1"
  else
    . "$folder/completions/$1"
  fi
  complete -p "$1" >/dev/null
}

# Parts a line as bash does: at white space, and at what COMP_WORDBREAKS has beside it.
split_line() {
  local rest=$1 breaks=${COMP_WORDBREAKS//[^=:]/} word
  COMP_WORDS=()
  while :; do
    rest=${rest#"${rest%%[![:space:]]*}"}
    if [[ -n $breaks && $rest == [$breaks]* ]]; then
      word=${rest%%[!$breaks]*}
    else
      word=${rest%%[[:space:]$breaks]*}
    fi
    COMP_WORDS+=("$word")
    rest=${rest#"$word"}
    [[ -n $rest ]] || break
  done
}

while IFS= read -r line; do
  name=${line%% *}
  complete -p "$name" >/dev/null 2>&1 || load "$name" || exit
  start=${line%%|*} line=${line/|/}
  split_line "$start"
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  split_line "$line"
  COMP_LINE=$line COMP_POINT=${#start} COMPREPLY=()
  definition=$(complete -p "$name")
  function=${definition#*-F }
  "${function%% *}" "$name" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
  [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"
  echo
done
