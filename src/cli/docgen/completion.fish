# Completion of NAME for fish 3 and later.

# Whether the cursor is where COMMAND's options may stand, or with numbers: where operand MINIMUM to
# MAXIMUM of it is.
function __IDENT_at -a wanted minimum maximum
    set -l words (commandline -opc)
    set -e words[1]
    set -l command ''
    set -l operands 0
    set -l ended ''
    set -l valued ''
    for word in $words
        if test -n "$valued"
            set valued ''
        else if test -z "$ended"; and test "$word" = --
            set ended 1
        else if test -z "$ended"; and string match -q -- '-?*' $word
            if contains -- "$command $word" $__IDENT_valued
                set valued 1
            end
        else if test -z "$command"; and contains -- $word $__IDENT_commands
            set command $word
        else
            set operands (math $operands + 1)
            if contains -- "$command" $__IDENT_first
                set ended 1
            end
        end
    end
    test "$command" = "$wanted"; or return 1
    if test -n "$minimum"
        test $operands -ge $minimum -a $operands -le $maximum
    else
        test -z "$ended"
    end
end

# The folders that the current word, or the value behind its '=', may become.
function __IDENT_folders
    __fish_complete_directories (commandline -ct | string replace -r -- '^--[^=]*=' '')
end

# The functions of the profile that the line names, else of the only one in the folder.
function __IDENT_functions
    set -l file
    set -l profiles *.wperf
    test (count $profiles) -ne 1; or set file $profiles
    for word in (commandline -op)
        if string match -q -- '*.wperf' $word; and test -f $word
            set file $word
        end
    end
    test -z "$file"; or wasm-perf functions --limit 1000 -- $file 2>/dev/null
end

complete -c NAME -f
