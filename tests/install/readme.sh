# shellcheck shell=bash
# Commands as the README has them; sourced, not run.

# Prints the first block of code under README.md's heading "## TITLE".
readme_block() { # TITLE
  awk -v title="## $1" '/^## / {here = index($0, title) == 1}
    here && /^```/ {if (inside) exit; inside = 1; next} inside' README.md | grep . ||
    { echo "README.md has no block of code under \"## $1\"" >&2; return 1; }
}
