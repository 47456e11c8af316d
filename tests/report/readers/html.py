"""Reads what the HTML report carries (src/report/formats/html/data.h), to the last digit."""

from page_data import numbers, parents_of, unpack
from readers.reader import file, print_functions

LARGEST = 2**64 - 1


def read(text):
    """{name: (self, total, calls)}; where calls are the values there is no total."""
    head, data, position = unpack(text)
    count = head["nodes"] - 1
    columns = []
    for _ in range(2 + len(head["runs"]) * len(head["values"])):
        column, position = numbers(data, position, count)
        columns.append(column)
    for _ in head["runs"]:
        (shared,), position = numbers(data, position, 1)
        _, position = numbers(data, position, 3 * shared)
    assert position == len(data), "something follows the last column"
    parents = parents_of(columns[0])
    labels = [None] + columns[1]
    values, calls = [0] + columns[2], [0] + columns[-1]
    totals = list(values)
    for node in range(count, 0, -1):
        totals[parents[node]] += totals[node]
    functions = {name: [0, 0, 0] for name in head["names"]}
    outer = [frozenset()]
    for node in range(1, count + 1):
        name = head["names"][labels[node]]
        above = outer[parents[node]]
        sums = functions[name]
        sums[0] += values[node]
        sums[1] += totals[node] if name not in above else 0
        sums[2] += calls[node]
        outer.append(above if name in above else above | {name})
    has_totals = len(head["values"]) > 1
    return {name: (min(sums[0], LARGEST), min(sums[1], LARGEST) if has_totals else None,
                   min(sums[2], LARGEST)) for name, sums in functions.items()}


print_functions(read(file.read_text(encoding="utf-8")))
