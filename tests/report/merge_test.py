#!/usr/bin/env python3
"""Checks wasm-perf merge against sums over the bytes of its inputs.

    merge_test.py --wasm-perf BUILD/wasm-perf
"""

import argparse
import collections
import itertools
import pathlib
import subprocess
import tempfile
from fractions import Fraction

import pairs
import profiles
from checks import check, finish
from oracle import LARGEST, Oracle

def header(data):
    return profiles.Decoded(data).fields


class Merger:
    def __init__(self, tool, folder):
        self.tool = tool
        self.folder = pathlib.Path(folder)

    def run(self, *inputs):
        paths = [self.folder / f"{i}.wperf" for i in range(len(inputs))]
        for path, data in zip(paths, inputs):
            path.write_bytes(data)
        return subprocess.run([self.tool, "merge", "--force", *paths, "-o", "-"], capture_output=True)

    def merge(self, *inputs):
        result = self.run(*inputs)
        check(result.returncode == 0, f"merge failed: {result.stderr}")
        return result.stdout


class Stacks:
    """Numbers for stacks of functions, the same for equal ones however deep they are."""

    def __init__(self):
        self.numbers = {}

    def of(self, oracle):
        stacks = [0]
        for function, parent, _, _ in oracle.nodes[1:]:
            key = (stacks[parent], function)
            stacks.append(self.numbers.setdefault(key, len(self.numbers) + 1))
        return stacks


def whole_times(oracle):
    root = min(oracle.nodes[0][3] * 10**9 // oracle.ticks_per_second, LARGEST)
    return [root, *oracle.weights]


def add_up(oracles, stacks):
    """{stack: [calls, self]} in order of first appearance."""
    converts = len({oracle.ticks_per_second for oracle in oracles}) > 1 and oracles[0].clock != 0
    sums = {}
    for oracle in oracles:
        values = whole_times(oracle) if converts else [node[3] for node in oracle.nodes]
        for stack, node, value in zip(stacks.of(oracle), oracle.nodes, values):
            own = sums.setdefault(stack, [0, 0])
            own[0] = min(own[0] + node[2], LARGEST)
            own[1] = min(own[1] + value, LARGEST)
    return sums


def check_nodes(name, oracles, merged):
    stacks = Stacks()
    expected = add_up(oracles, stacks)
    found = {stack: [node[2], node[3]] for stack, node in zip(stacks.of(merged), merged.nodes)}
    check(len(found) == len(merged.nodes), f"{name}: a stack has two nodes")
    check(list(found) == list(expected), f"{name}: other stacks, or in another order")
    check(found == expected, f"{name}: sums differ")
    check(all(node[1] < i for i, node in enumerate(merged.nodes) if i), f"{name}: parents")


def check_names(name, oracles, merged):
    expected = {}
    for oracle in oracles:
        for function, text in oracle.names.items():
            expected[function] = expected.get(function) or text
    check(merged.names == expected, f"{name}: names differ")


def expected_header(inputs):
    headers = [header(data) for data in inputs]
    calls = [sum(node[2] for node in Oracle(data).nodes) for data in inputs]
    ticks = {fields["ticks_per_second"] for fields in headers}
    converts = len(ticks) > 1

    def values(field):
        return [fields[field] * 10**9 // fields["ticks_per_second"] if converts else fields[field]
                for fields in headers]

    expected = dict(headers[0])
    expected["ticks_per_second"] = 10**9 if converts else headers[0]["ticks_per_second"]
    for field in ("truncated_call_count", "unbalanced_count", "clock_read_count"):
        expected[field] = min(sum(fields[field] for fields in headers), LARGEST)
    for field in ("inner_hook_cost", "outer_hook_cost"):
        weights = calls if sum(calls) else [1] * len(calls)
        products = sum(weight * value for weight, value in zip(weights, values(field)))
        expected[field] = int(Fraction(products, sum(weights)))
    expected["hook_cost_error"] = max(values("hook_cost_error"))
    expected["open_frame_count"] = min(sum(fields["open_frame_count"] for fields in headers), 2**32 - 1)
    expected["node_limit"] = max(fields["node_limit"] for fields in headers)
    for field in ("host_function_count", "function_count", "hooked_function_count"):
        expected[field] = max(fields[field] for fields in headers)  # 0: not known
    return expected


def check_merge(name, merger, *inputs):
    data = merger.merge(*inputs)
    oracles = [Oracle(each) for each in inputs]
    merged = Oracle(data)
    check_nodes(name, oracles, merged)
    check_names(name, oracles, merged)
    expected = expected_header(inputs)
    expected["node_count"], expected["name_count"] = len(merged.nodes), len(merged.names)
    found = header(data)
    for field in ("node_count", "name_count", *profiles.HEADER_FACTS):
        if field.endswith("hook_cost") and name == "extremes":
            continue  # calls beyond the range of a sum
        check(found[field] == expected[field],
              f"{name}: {field} is {found[field]}, not {expected[field]}")
    return data


def add_functions(inputs):
    sums = collections.defaultdict(lambda: (0, 0, 0))
    for data in inputs:
        for function, values in Oracle(data).functions().items():
            sums[function] = tuple(min(a + b, LARGEST) for a, b in zip(sums[function], values))
    return dict(sums)


def check_pairs(merger):
    for name, before, after in pairs.pairs():
        a, b = before.encode(), after.encode()
        merged = check_merge(name, merger, a, b)
        if name in ("slow_ticks", "ticks", "program"):  # reports add up to the nanosecond
            check(Oracle(merged).functions() == add_functions([a, b]), f"{name}: functions differ")
        once = merger.merge(a)
        check_nodes(f"{name} alone", [Oracle(a)], Oracle(once))
        if name != "wide":  # which has siblings of one function
            check(once == a, f"{name}: merged alone it is another")
        again = merger.merge(once)
        check(again == once, f"{name}: merged alone again it is another")


def check_order(merger):
    """Neither order nor grouping changes a sum."""
    makes = (profiles.instructions, lambda: pairs.altered(profiles.instructions, 2),
             lambda: pairs.altered(profiles.instructions, 3))
    a, b, c = (make().encode() for make in makes)
    whole = check_merge("three", merger, a, b, c)
    check(merger.merge(merger.merge(a, b), c) == whole, "(a + b) + c differs")
    check(merger.merge(a, merger.merge(b, c)) == whole, "a + (b + c) differs")
    for order in itertools.permutations((a, b, c)):
        stacks = Stacks()
        check(add_up([Oracle(merger.merge(*order))], stacks) == add_up([Oracle(whole)], stacks),
              "order changes a sum")


def mismatches():
    """(profiles, how the last of them differs)"""
    program, header_of = profiles.program, pairs.with_header
    yield [program(), profiles.instructions()], "its clock is instructions, not wall as before"
    yield [profiles.unknown_clock(), program()], "its clock is wall, not unknown (77) as before"
    yield [program(), header_of(program, recursion=1)], \
        "its recursive calls are folded, unlike in the profiles before"
    yield [program(), header_of(program, host_functions=2), header_of(program, host_functions=3)], \
        "its module has 3 imported functions, not 2"
    yield [header_of(program, function_counts=(9, 5)), program(),
           header_of(program, function_counts=(8, 5))], "its module has 8 functions, not 9"
    yield [header_of(program, function_counts=(9, 5)), header_of(program, function_counts=(9, 4))], \
        "its module has hooks in 4 functions, not 5"
    yield [program(), program().name(None, "\x1bother")], \
        "function 1 is '_other', not 'json::parse(char const*)' as before"
    long_name = program().name("ä" * 2000)
    yield [program(), long_name], f"function 0 is '{'ä' * 30}...', not '_start' as before"
    other_unit = profiles.instructions()
    other_unit.ticks_per_second = 5
    yield [of_module(b"1f"), program(), of_module(b"2f")], "it belongs to another module: the identities differ"
    yield [profiles.instructions(), other_unit], "its values have a different unit"


def of_module(identity, **texts):
    profile = profiles.program()
    profile.texts = {"identity": identity, **texts}
    return profile


def check_texts(merger):
    """Texts stay that no two profiles say differently."""
    inputs = [of_module(b"1f", command=b"a b", engine="größe".encode()), profiles.program(),
              of_module(b"1f", command=b"a c", module=b"m.wasm")]
    merged = profiles.Decoded(merger.merge(*(profile.encode() for profile in inputs)))
    expected = {"identity": b"1f", "module": b"m.wasm", "engine": "größe".encode()}
    check(merged.texts == expected, f"texts are {merged.texts}")


def check_mismatches(merger):
    for inputs, message in mismatches():
        result = merger.run(*(profile.encode() for profile in inputs))
        path = merger.folder / f"{len(inputs) - 1}.wperf"
        check(result.returncode == 1 and result.stdout == b"", f"{message}: {result.returncode}")
        found = result.stderr.decode()
        check(found == f"wasm-perf: {path}: {message}\n", f"not {message!r} but {found!r}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wasm-perf", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        merger = Merger(arguments.wasm_perf, folder)
        check_pairs(merger)
        check_order(merger)
        check_mismatches(merger)
        check_texts(merger)
    finish()


if __name__ == "__main__":
    main()
