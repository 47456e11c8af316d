# complete.zsh FOLDER: for each line of standard input what zsh offers at its end or |, a
# candidate a line, then an empty line. Completion works only in a terminal: a pseudo one.
zmodload zsh/zpty
folder=$1
requests=$(mktemp) answers=$(mktemp)
cat >$requests
export folder requests answers TERM=dumb

zpty terminal zsh -f -i
zpty -w terminal "source ${(q)${0:A:h}}/complete_inside.zsh"
# What it prints is not of interest, but has to be read; the end comes when it exits.
while zpty -r terminal _ 2>/dev/null; do :; done
cat $answers
rm -f $requests $answers
