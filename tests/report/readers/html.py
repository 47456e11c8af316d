"""Reads what the HTML report carries (src/report/formats/html/data.h), to the last digit."""

import base64
import gzip
import json
import re

from readers.reader import file, print_functions

LARGEST = 2**64 - 1


def numbers(data, position, count):
    """(list, position after it): unsigned LEB128."""
    result = []
    for _ in range(count):
        value = shift = 0
        while True:
            byte = data[position]
            position += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        result.append(value)
    return result, position


def parents_of(levels):
    parents, path = [0], [0]
    for node, above in enumerate(levels, 1):
        if above:
            del path[-above:]
        parents.append(path[-1])
        path.append(node)
    return parents


def read(text):
    """{name: (self, total, calls)}; where calls are the values there is no total."""
    packed = re.search(r'id="profile">([^<]*)<', text).group(1)
    data = gzip.decompress(base64.b64decode(packed, validate=True))
    size = int.from_bytes(data[:4], "little")
    head = json.loads(data[4:4 + size])
    position, count = 4 + size, head["nodes"] - 1
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
