"""Writes a profile of tests/report/profiles.py and prints as JSON what the oracle reads in it.

    figures.py PROFILE OUTPUT.wperf

Numbers are strings: JavaScript's would round the large ones.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "report"))

import oracle
import profiles
from report_test import wanted_frames

name, path = sys.argv[1:]
data = getattr(profiles, name)().encode()
pathlib.Path(path).write_bytes(data)
reader = oracle.Oracle(data)
frames, drawn, whole = wanted_frames(reader)
functions = reader.functions()
order = sorted(functions, key=lambda name: (-functions[name][0], name.encode()))
json.dump({
    "hasClock": reader.clock != profiles.CLOCK_NONE,
    "whole": str(whole),
    # by self value, largest first
    "functions": [{"name": name, **dict(zip(("self", "total", "calls"), map(str, functions[name])))}
                  for name in order],
    "frames": [{"stack": stack, **dict(zip(("self", "total", "calls", "start"), map(str, frames[stack])))}
               for stack in drawn],
}, sys.stdout)
