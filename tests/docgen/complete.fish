# complete.fish FOLDER: for each line of standard input what fish offers at its end, a candidate a
# line, then an empty line. fish finds the completions in FOLDER by the command's name.
set -p fish_complete_path $argv[1]
while read -l line
    complete -C $line | string replace -r '\t.*' ''
    echo
end
