# Fish completion for cairn. The program itself completes: `cairn completion words -- WORDS`.
function __cairn_words
    set -l typed (commandline -opc) (commandline -ct)
    $typed[1] completion words -- $typed[2..-1] 2>/dev/null
end
complete -c cairn -n 'count (__cairn_words) >/dev/null' -f -a '(__cairn_words)'
