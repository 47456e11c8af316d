# Completion of NAME for bash 4.3 and later. It needs nothing else.

# How far the command line has come, in the caller's variables: `whole`, the word that is to be
# completed; `command`; `operands`, their number; `option`, whose value is wanted; `ended`, no
# option may follow.
_IDENT_read_line() {
  local line=${COMP_LINE:0:COMP_POINT} words=() word rest options='' valued='' first='' i
  # Bash parts words at '=' and ':' as well; what has no space between belongs together.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    rest=${line#"${line%%[![:space:]]*}"}
    ((i < COMP_CWORD)) || word=$rest
    if ((i > 0)) && [[ $rest == "$line" ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    line=${rest#"$word"}
  done
  whole=${words[-1]}
  _IDENT_table ''
  for word in "${words[@]:1:${#words[@]}-2}"; do
    if [[ -n $option ]]; then
      option=
    elif [[ -z $ended && $word == -- ]]; then
      ended=1
    elif [[ -z $ended && $word == -?* ]]; then
      [[ " $valued " != *" $word "* ]] || option=$word
    elif [[ -n $first && -z $command && -z $ended ]] && _IDENT_table "$word"; then
      command=$word
    else
      operands=$((operands + 1))
      [[ -z $first ]] || ended=1
    fi
  done
}

# Fills in COMPREPLY with functions of the profile that the line names, else of the only one in the
# folder. What stands in quotes or behind a backslash is read as the shell would.
_IDENT_functions() {
  local word file='' profiles=(*.wperf)
  [[ ${#profiles[@]} -ne 1 || ! -f ${profiles[0]} ]] || file=${profiles[0]}
  for word in "${COMP_WORDS[@]}"; do
    word=${word//[\\\'\"]/}
    [[ $word != *.wperf || ! -f $word ]] || file=$word
  done
  if [[ $current == [\'\"]* ]]; then
    current=${current:1} breaks=''
  else
    current=${current//\\/} whole=${whole//\\/}
  fi
  [[ -z $file ]] ||
    mapfile -t COMPREPLY < <(
      wasm-perf functions --limit 1000 --match "$current*" -- "$file" 2>/dev/null
    )
}

_IDENT() {
  local breaks=${COMP_WORDBREAKS//[^=:]/}
  local whole='' command='' operands=0 option='' ended='' current prefix=''
  local options='' valued='' first='' kind='' choices='' pattern='' file
  COMPREPLY=()
  _IDENT_read_line
  _IDENT_table "$command"
  current=$whole
  if [[ -z $option && -z $ended && $whole == --*=* ]]; then
    option=${whole%%=*} prefix=$option= current=${whole#*=}
    [[ " $valued " == *" $option "* ]] || return
  fi
  if [[ -z $option && -z $ended && $current == -* ]]; then
    kind=words choices=$options
  else
    _IDENT_value "$command ${option:-$operands}"
  fi
  case $kind in
    words) mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current") ;;
    functions) _IDENT_functions ;;
    folders) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    files)
      mapfile -t COMPREPLY < <(
        compgen -d -- "$current"
        compgen -f -X "!$pattern" -- "$current" | while IFS= read -r file; do
          [[ -d $file ]] || printf '%s\n' "$file"
        done
      )
      ;;
  esac
  [[ $kind == words ]] || compopt -o filenames 2>/dev/null
  # Bash replaces only what stands behind the last '=' or ':', where these part words.
  COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
  if [[ -n $breaks && $whole == *[$breaks]* ]]; then
    prefix=${whole%"${whole##*["$breaks"]}"}
    COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
  fi
}

complete -F _IDENT NAME
