"""Unpacks the data of the HTML report (src/report/formats/html/data.h)."""

import base64
import gzip
import json
import re


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


def unpack(text):
    """(head, data, position after the head) of a page."""
    packed = re.search(r'id="profile">([^<]*)<', text).group(1)
    data = gzip.decompress(base64.b64decode(packed, validate=True))
    size = int.from_bytes(data[:4], "little")
    return json.loads(data[4:4 + size]), data, 4 + size


def parents_of(levels):
    parents, path = [0], [0]
    for node, above in enumerate(levels, 1):
        if above:
            del path[-above:]
        parents.append(path[-1])
        path.append(node)
    return parents


def preorder(text):
    """[(name of the parent, name)] of all nodes in preorder; of the root, None."""
    head, data, position = unpack(text)
    count = head["nodes"] - 1
    levels, position = numbers(data, position, count)
    functions, position = numbers(data, position, count)
    names = [None] + [head["names"][function] for function in functions]
    return [(names[parent], name) for parent, name in zip(parents_of(levels)[1:], names[1:])]
