"""Reads folded stacks."""

import re

from readers.reader import file, print_functions, sum_stacks

text = file.read_text(encoding="utf-8")
lines = re.findall(r"(.+) ([1-9]\d*)\n", text)
assert sum(len(stack) + len(value) + 2 for stack, value in lines) == len(text), "other lines"
print_functions(sum_stacks((stack.split(";"), int(value)) for stack, value in lines))
