"""Writes a profile of tests/report/profiles.py and prints as JSON what the oracle reads in it.

    figures.py PROFILE OUTPUT.wperf

Numbers are strings: JavaScript's would round the large ones.
"""

import collections
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "report"))

import oracle
import profiles
from report_test import wanted_frames

HOST = "the host"


def find_edges(reader):
    """{(caller, callee): (calls, total)}; a total is the value of all stacks the pair is on."""
    calls, totals, weights = collections.Counter(), collections.Counter(), collections.Counter()
    names, pairs_of = [HOST], [frozenset()]
    for (function, parent, call_count, _), weight in zip(reader.nodes[1:], reader.weights):
        names.append(reader.label(function))
        pair = (names[parent], names[-1])
        pairs = pairs_of[parent]
        pairs_of.append(pairs if pair in pairs else pairs | {pair})
        calls[pair] += call_count
        weights[pairs_of[-1]] += weight
    for pairs, weight in weights.items():
        for pair in pairs:
            totals[pair] += weight
    return {pair: (min(calls[pair], oracle.LARGEST), min(totals[pair], oracle.LARGEST))
            for pair in calls}


name, path = sys.argv[1:]
data = getattr(profiles, name)().encode()
pathlib.Path(path).write_bytes(data)
reader = oracle.Oracle(data)
frames, drawn, whole = wanted_frames(reader)
functions = reader.functions()
order = sorted(functions, key=lambda name: (-functions[name][0], name.encode()))
json.dump({
    "hasClock": reader.clock != profiles.CLOCK_NONE,
    "isComplete": len(drawn) == len(frames),
    "whole": str(whole),
    # by self value, largest first
    "functions": [{"name": name, **dict(zip(("self", "total", "calls"), map(str, functions[name])))}
                  for name in order],
    "edges": [{"caller": caller, "callee": callee, "calls": str(calls), "total": str(total)}
              for (caller, callee), (calls, total) in find_edges(reader).items()],
    "frames": [  # that are wide enough to draw
        {"stack": stack, **dict(zip(("self", "total", "calls", "start"), map(str, frames[stack])))}
        for stack in drawn],
}, sys.stdout)
