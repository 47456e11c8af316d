"""What the readers in Python have in common; for those in JavaScript that is reader.mjs."""

import collections
import pathlib
import sys

from oracle import LARGEST

NOT_INSTALLED = 77

file = pathlib.Path(sys.argv[1])


def sum_stacks(stacks):
    """{name: (self, total, calls)} of [(stack, value)], the outermost frame first; calls are None."""
    sums = collections.defaultdict(lambda: [0, 0])
    for stack, value in stacks:
        sums[stack[-1]][0] += value
        for name in set(stack):
            sums[name][1] += value
    return {name: (*pair, None) for name, pair in sums.items()}


def print_functions(functions):
    """Prints {name: (self, total, calls)} as readers_test.py says; None is what nobody knows."""
    sys.stdout.reconfigure(encoding="utf-8")
    for name, sums in functions.items():
        print(*("-" if number is None else min(number, LARGEST) for number in sums), name)
