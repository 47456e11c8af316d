#!/usr/bin/env python3
"""Checks --format callgrind by what callgrind_annotate makes of it.

    callgrind_test.py --export BUILD/report-export --annotate callgrind_annotate
"""

import argparse
import collections
import pathlib
import re
import subprocess
import tempfile

import profiles
from checks import check, finish
from oracle import LARGEST, Oracle

TITLE = "module.wasm"
HOST = "[host]"
EVENTS = {profiles.CLOCK_NONE: "Calls", profiles.CLOCK_WALL: "ns", profiles.CLOCK_SAMPLED: "ns",
          profiles.CLOCK_INSTRUCTIONS: "Ir"}
FUNCTION = re.compile(r" *([\d,]+) ( \* )? (?:\?\?\?|/[^:]*):(.*) \[(module\.wasm|host)\]")
CALL = re.compile(r" *([\d,]+)  ?([<>]) +(?:\?\?\?|/[^:]*):(.*) \(([\d,]+)x\) \[(module\.wasm|host)\]")


def number(text):
    return int(text.replace(",", ""))


class Annotation:
    """What callgrind_annotate prints."""

    def __init__(self, command, path, *options):
        result = subprocess.run([command, "--show-percs=no", "--threshold=100", "--auto=no",
                                 *options, path], check=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)
        check(result.stderr == b"", f"{path}: {result.stderr.decode()}")
        self.head, _, functions = result.stdout.decode().partition(" file:function\n")
        totals = re.search(r"^ *([\d,]+) +PROGRAM TOTALS", self.head, re.MULTILINE)
        self.total = number(totals.group(1))
        self.costs = {}    # by function
        self.objects = {}  # the same
        self.calls = {}    # by caller and callee: (number, cost)
        callers = []
        function = None
        for line in functions.splitlines()[1:]:
            call = CALL.fullmatch(line)
            row = FUNCTION.fullmatch(line)
            if call and call.group(2) == "<":
                callers.append(call)
            elif call:
                self.add_call(function, call.group(3), call)
            elif row:
                function = row.group(3)
                check(function not in self.costs, f"{path}: {function!r} is there twice")
                self.costs[function] = number(row.group(1))
                self.objects[function] = row.group(4)
                for caller in callers:
                    self.add_call(caller.group(3), function, caller)
                callers = []
            else:
                check(line == "", f"{path}: {line!r} is not understood")

    def add_call(self, caller, callee, match):
        call = (number(match.group(4)), number(match.group(1)))
        check(self.calls.setdefault((caller, callee), call) == call,
              f"calls of {callee!r} differ from what its caller made")


def wanted_calls(oracle):
    """{(caller, callee): (calls, cost)}; the cost is what callees take that are not open yet."""
    totals = [0, *oracle.weights]
    for index in range(len(totals) - 1, 0, -1):
        totals[oracle.nodes[index][1]] += totals[index] if oracle.nodes[index][1] else 0
    calls = collections.defaultdict(lambda: [0, 0])
    names = [HOST]
    open_names = [frozenset()]
    distinct = {}
    for index, (function, parent, count, _) in enumerate(oracle.nodes[1:], 1):
        name = oracle.label(function)
        arc = calls[names[parent], name]
        arc[0] += count
        is_open = name in open_names[parent]
        arc[1] += 0 if is_open else totals[index]
        inside = open_names[parent] if is_open else open_names[parent] | {name}
        open_names.append(distinct.setdefault(inside, inside))
        names.append(name)
    return {arc: tuple(sums) for arc, sums in calls.items() if sums[0] > 0}


def check_head(name, oracle, annotation, summary):
    event = EVENTS.get(oracle.clock, "Ticks")
    wanted = ["(creator: wasm-perf)", f"Profiled target:  {TITLE}", f"Events recorded:  {event}",
              *(f"{'Note' if index else 'Totals'}: {line}" for index, line in enumerate(summary))]
    for text in wanted:
        check(text in annotation.head, f"{name}: no {text!r} in {annotation.head}")


def check_profile(name, arguments, path, output):
    output.write_bytes(export(arguments.export, "callgrind", path))
    summary = profiles.summary_of(export(arguments.export, "top", path).decode())
    oracle = Oracle(path.read_bytes())
    functions = oracle.functions()
    whole = min(sum(own for own, _, _ in functions.values()), LARGEST)
    selves = Annotation(arguments.annotate, output, "--inclusive=no")
    check_head(name, oracle, selves, summary)
    check(selves.total == whole, f"{name}: {selves.total} in total, not {whole}")
    wanted = {function: own for function, (own, _, _) in functions.items()}
    check(selves.costs == {HOST: 0, **wanted}, f"{name}: self costs differ from the oracle's")
    host_names = oracle.host_names() | {HOST}
    check(all((place == "host") == (function in host_names)
              for function, place in selves.objects.items()), f"{name}: objects")
    tree = Annotation(arguments.annotate, output, "--inclusive=yes", "--tree=both")
    wanted = {function: total for function, (_, total, _) in functions.items()}
    check(tree.costs == {HOST: whole, **wanted}, f"{name}: totals differ from the oracle's")
    calls = wanted_calls(oracle)
    check(tree.calls == calls, f"{name}: calls differ from the oracle's")
    for function, (_, _, count) in functions.items():
        made = sum(call[0] for arc, call in tree.calls.items() if arc[1] == function)
        check(min(made, LARGEST) == count, f"{name}: {made} calls of {function!r}, not {count}")


def export(exporter, format_name, path):
    return subprocess.run([exporter, format_name, path], check=True, stdout=subprocess.PIPE).stdout


def check_full_device(exporter, path):
    if pathlib.Path("/dev/full").exists():
        with open("/dev/full", "wb") as full:
            result = subprocess.run([exporter, "callgrind", path], stdout=full,
                                    stderr=subprocess.PIPE)
        check(result.returncode == 1, "a full device went unnoticed")


def leading_spaces():
    """Names of which the format would lose the beginning."""
    profile = profiles.Profile()
    for function in range(3):
        profile.add(0, function, 1, 1 + function)
    return profile.name(" one", "one", "   ")


def check_leading_spaces(arguments, path, output):
    path.write_bytes(leading_spaces().encode())
    output.write_bytes(export(arguments.export, "callgrind", path))
    costs = Annotation(arguments.annotate, output, "--inclusive=no").costs
    check(costs == {HOST: 0, "_one": 1, "one": 2, "_  ": 3}, f"leading spaces: {costs}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--export", required=True, help="the report-export program")
    parser.add_argument("--annotate", required=True, help="the callgrind_annotate command")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "test.wperf"
        output = path.with_name("callgrind.out.test")
        for make in profiles.GOLDEN + profiles.LARGE:
            path.write_bytes(make().encode())
            check_profile(make.__name__, arguments, path, output)
        check_leading_spaces(arguments, path, output)
        for make in (profiles.empty, profiles.wide):  # one fails at the end, one on the way
            path.write_bytes(make().encode())
            check_full_device(arguments.export, path)
    finish()


if __name__ == "__main__":
    main()
