#compdef cairn
# Zsh completion for cairn. The program itself completes: `cairn completion words -- WORDS`.
_cairn() {
  local line name
  local -a closed closed_shown open open_shown
  for line in "${(@f)$(${(Q)words[1]} completion words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    name=${line%%$'\t'*}
    [[ -z $name ]] && continue
    if [[ $name == *[=.] ]]; then
      open+=("$name") open_shown+=("${line/$'\t'/  -- }")
    else
      closed+=("$name") closed_shown+=("${line/$'\t'/  -- }")
    fi
  done
  if (( ${#closed} + ${#open} == 0 )); then
    _files
    return
  fi
  (( ${#closed} )) && compadd -l -d closed_shown -a closed
  (( ${#open} )) && compadd -l -S '' -d open_shown -a open
  return 0
}
if [[ ${funcstack[1]} == _cairn ]]; then
  _cairn "$@"
else
  compdef _cairn cairn
fi
