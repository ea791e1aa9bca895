# Bash completion for cairn. The program itself completes: `cairn completion words -- WORDS`.
_cairn() {
  local typed word lines
  # Words as they are typed: bash would cut them at = and :, which settings have.
  read -ra typed <<< "${COMP_LINE:0:COMP_POINT}"
  [[ ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]] && typed+=("")
  word=${typed[-1]}
  mapfile -t lines < <("$1" completion words -- "${typed[@]:1}" 2>/dev/null | cut -f 1)
  # Bash replaces what follows the last = or : alone.
  local before=${word%"${word##*[=:]}"}
  COMPREPLY=("${lines[@]#"$before"}")
  [[ ${#lines[@]} -eq 1 && ${lines[0]} == *[=.] ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -F _cairn cairn
