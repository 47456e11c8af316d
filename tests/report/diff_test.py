#!/usr/bin/env python3
"""Checks wasm-perf diff against the oracle's two function tables and stacks.

    diff_test.py --wasm-perf BUILD/wasm-perf
    --flamegraph-tools DIR   where flamegraph.pl and difffolded.pl are, which then read it, too
"""

import argparse
import collections
import math
import pathlib
import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import pairs
import profiles
import report_test
from checks import check, finish
from oracle import LARGEST, Oracle, tell_apart

SVG = report_test.SVG
SORTS = {"self": 0, "total": 1, "calls": 2}
NOTHING = (0, 0, 0)
UNCHANGED = "#e9e9ec"


class Differ:
    def __init__(self, tool, folder):
        self.tool = tool
        self.paths = [pathlib.Path(folder) / name for name in ("a.wperf", "b.wperf")]
        self.options = []

    def load(self, *profiles_):
        self.options = []
        for path, profile in zip(self.paths, profiles_):
            path.write_bytes(profile.encode())
        return tell_apart([Oracle(path.read_bytes()) for path in self.paths])

    def run(self, *options):
        arguments = [self.tool, "diff", "--show=hooks", "--no-demangle", *self.options, *options]
        return subprocess.run([*arguments, *self.paths], capture_output=True)

    def diff(self, *options):
        result = self.run(*options)
        check(result.returncode == 0 and result.stderr == b"", f"{options}: {result.stderr}")
        return result.stdout


# ---- Numbers as tables show them

def rounded(value):
    """To the nearest whole number, halves up."""
    return int(value + Fraction(1, 2))


def quotient(count, divisor, decimals):
    steps = rounded(Fraction(count, divisor) * 10**decimals)
    whole, rest = divmod(steps, 10**decimals)
    return f"{whole:,}" + (f".{rest:0{decimals}}" if decimals else "")


def sign(before, after):
    return "+" if after > before else "-" if after < before else ""


def percentage(before, after, whole):
    if before == after:
        return "0"
    if whole == 0 or Fraction(abs(after - before), whole) >= 100_000:
        return "-"  # of nothing, or next to nothing
    times = Fraction(abs(after - before), whole)
    return sign(before, after) + quotient(rounded(times * 10000), 100, 2)


def cells(before, after, divisor):
    decimals = 0 if divisor == 1 else 3
    return [quotient(before, divisor, decimals), quotient(after, divisor, decimals),
            sign(before, after) + quotient(abs(after - before), divisor, decimals),
            percentage(before, after, before)]


def sample_period(oracle):
    """Nanoseconds; 0 where times are not from samples."""
    is_sampled = oracle.clock == profiles.CLOCK_SAMPLED and oracle.sample_count > 0
    return total_of(oracle) // oracle.sample_count if is_sampled else 0


def error_cell(change, periods, divisor):
    """The standard deviation of a sampled change, rounded."""
    square = sum(value * period for value, period in zip(change, periods))
    error = (math.isqrt(4 * square) + 1) // 2
    return quotient(error, divisor, 0 if divisor == 1 else 3) if error else ""


def unit_of(oracle, totals):
    """(heading, divisor)"""
    if oracle.clock == profiles.CLOCK_NONE:
        return "calls", 1
    if oracle.ticks_per_second == 0:
        return ("instr." if oracle.clock == profiles.CLOCK_INSTRUCTIONS else "ticks"), 1
    for heading, divisor in (("s", 10**9), ("ms", 10**6), ("µs", 1000)):
        if max(totals) // 10 >= divisor:
            return heading, divisor
    return "ns", 1


# ---- Tables

def stack_values(oracle):
    """{stack: (self, total, calls)} of stacks as the folded report cuts them."""
    values = collections.defaultdict(lambda: [0, 0, 0])
    for stack, weight, calls in oracle.stacks(";"):
        values[stack][0] += weight
        values[stack][2] += calls
        for size in range(1, len(stack) + 1):
            values[stack[:size]][1] += weight
    return {stack: tuple(min(value, LARGEST) for value in sums) for stack, sums in values.items()}


def total_of(oracle):
    return min(sum(weight for _, weight, _ in oracle.stacks()), LARGEST)


def table_rows(before, after, sort, text):
    rows = []
    for key in set(before) | set(after):
        a, b = before.get(key, NOTHING), after.get(key, NOTHING)
        mark = "new" if not any(a[1:]) and b[2] else "gone" if a[2] and not any(b[1:]) else ""
        if a != b:
            rows.append((-abs(b[SORTS[sort]] - a[SORTS[sort]]), key, mark, list(zip(a, b))))
    rows.sort(key=lambda row: (row[0], text(row[1]).encode()))
    unchanged = len(set(before) | set(after)) - len(rows)
    return [(text(key), mark, changes) for _, key, mark, changes in rows], unchanged


def expected_table(rows, unit, has_clock, periods, what):
    heading, divisor = unit
    groups = [(f"self {heading}", 0, divisor), (f"total {heading}", 1, divisor), ("calls", 2, 1)]
    groups = groups if has_clock else groups[:2]
    columns, top = [], ""
    for name, index, group_divisor in groups:
        top = top.ljust(sum(len(column[0]) + 2 for column in columns)) + name
        texts = [cells(*changes[index], group_divisor) for _, _, changes in rows]
        headings = ["before", "after", "change", "%"]
        if index < 2 and any(periods):
            headings.insert(3, "\u00b1")
            for text, (_, _, changes) in zip(texts, rows):
                text.insert(3, error_cell(changes[index], periods, group_divisor))
        for c, column_heading in enumerate(headings):
            column = [column_heading] + [row[c] for row in texts]
            width = max(map(len, column))
            columns.append([text.rjust(width) for text in column])
    if any(mark for _, mark, _ in rows):
        columns.append(["    "] + [mark.ljust(4) for _, mark, _ in rows])
    columns.append([what] + [name for name, _, _ in rows])
    return [top] + ["  ".join(line) for line in zip(*columns)]


def check_table(name, differ, oracles, what, values, sort, text=str):
    before, after = (values(oracle) for oracle in oracles)
    rows, unchanged = table_rows(before, after, sort, text)
    unit = unit_of(oracles[0], [total_of(oracle) for oracle in oracles])
    has_clock = oracles[0].clock != profiles.CLOCK_NONE
    periods = [sample_period(oracle) for oracle in oracles]
    output = differ.diff("--by", what, "--sort", sort, "-n", "1000000").decode()
    lines = output[:-1].split("\n")
    start = lines.index("") if "" in lines else len(lines)
    expected = [""] + expected_table(rows, unit, has_clock, periods, what) if rows else []
    if unchanged:
        expected += ["", f"Unchanged: {unchanged:,} {what}{'s' if unchanged > 1 else ''}."]
    if text is not str:  # stacks of equal change are in order of their levels
        expected, lines = sorted(expected), lines[:start] + sorted(lines[start:])
    for line, wanted in zip(lines[start:], expected):
        check(line == wanted, f"{name} {sort}: not {wanted[:200]!r} but {line[:200]!r}")
    check(len(lines) - start == len(expected), f"{name} {sort}: {len(lines) - start} lines")
    shorter = differ.diff("--by", what, "--sort", sort, "-n", "1").decode()
    told = re.search(r"^Changed less: ([\d,]+) ", shorter, re.MULTILINE)
    check((int(told[1].replace(",", "")) if told else 0) == max(len(rows) - 1, 0),
          f"{name} {sort}: rows that are left out")


# ---- Folded stacks

def check_folded(name, differ, oracles):
    sums = collections.defaultdict(lambda: [0, 0])
    for side, oracle in enumerate(oracles):
        for stack, weight, _ in oracle.stacks(";"):
            sums[stack][side] = min(sums[stack][side] + weight, LARGEST)
    expected = [f"{';'.join(stack)} {sums[stack][0]} {sums[stack][1]}"
                for stack in sorted(sums, key=lambda stack: [frame.encode() for frame in stack])
                if any(sums[stack])]
    lines = differ.diff("--format", "folded").decode().split("\n")
    check(lines.pop() == "" and lines == expected, f"{name}: folded stacks differ")


# ---- The flame graph

def colours(element):
    text = element.find(f"{SVG}rect").get("fill")
    return text, [int(text[i:i + 2], 16) for i in (1, 3, 5)]


def title_value(change, noun):
    def text(value):
        return f"{value:,} {noun}{'' if value == 1 else 's'}"
    before, after = change
    share = f", {percentage(before, after, before)} %" if before else ""
    return f"{text(before)} → {text(after)}{share}"


def check_title(name, oracles, title, frame, changes, is_new):
    if oracles[0].ticks_per_second and oracles[0].clock != profiles.CLOCK_NONE:
        return check(title.endswith("; " + title_value(changes[2], "call")) or not frame,
                     f"{name}: {title!r}")
    noun = {profiles.CLOCK_NONE: "call", profiles.CLOCK_INSTRUCTIONS: "instruction"}.get(
        oracles[0].clock, "tick")
    wanted = ("new: " if is_new else "") + f"total {title_value(changes[1], noun)}"
    if frame:
        wanted += f"; self {title_value(changes[0], noun)}"
    if frame and noun != "call":
        wanted += "; " + title_value(changes[2], "call")
    check(title == f"{frame[-1] if frame else 'all'} — {wanted}", f"{name}: {title!r}")


def check_colour(name, title, element, change, largest):
    text, (red, green, blue) = colours(element)
    before, after = change
    if before == after:
        return check(text == UNCHANGED, f"{name}: {text} of {title!r}")
    strength = 24 + abs(after - before) * (170 - 24) // largest
    rest = 240 - strength
    wanted = [240, rest, rest] if after > before else [rest, (rest + 240) // 2, 240]
    check([red, green, blue] == wanted, f"{name}: {text} of {title!r}")


def check_flamegraph(name, differ, oracles):
    output = differ.diff("--format", "flamegraph")
    picture = ElementTree.fromstring(output)
    check(len(output) < report_test.MAX_SVG_SIZE, f"{name}: the picture has {len(output)} bytes")
    before = oracles[0].frames()
    after, wanted, whole = report_test.wanted_frames(oracles[1])
    drawn = list(report_test.read_frames(picture))
    check({stack for stack, _, _, _ in drawn} == set(wanted), f"{name}: other frames than wanted")
    largest = max(abs(after[stack][0] - before.get(stack, NOTHING)[0]) for stack in after)
    elements = picture.find(f"{SVG}svg[@id='frames']").findall(f"{SVG}svg")
    for (stack, start, end, title), element in zip(drawn, elements):
        own = after[stack]
        changes = list(zip(before.get(stack, NOTHING), own[:3]))
        left = Fraction(own[3], whole) if whole else 0
        right = Fraction(own[3] + own[1], whole) if whole else 1
        check(abs(start - left) < 2e-7 and abs(end - right) < 2e-7, f"{name}: place of {title!r}")
        is_new = not any(before.get(stack, NOTHING)[1:3]) and own[2] > 0
        check_title(name, oracles, title, stack, changes, is_new)
        if stack:
            check_colour(name, title, element, changes[0], largest)
    gone = [stack for stack in before if stack not in after]
    value = sum(before[stack][1] for stack in gone if stack[:-1] in after)
    told = re.search(r">Only before, so not drawn: ([\d,]+) frames? with ([^<]*), ([\d.]+) % of", output.decode())
    check((told[1] if told else "0") == f"{len(gone):,}", f"{name}: frames that are gone")
    if told:
        share = 100 * value / before[()][1] if before[()][1] else 0
        check(abs(float(told[3]) - share) <= 0.051, f"{name}: share of what is gone")


# ---- Limits of growth

def grower(growths, clock=profiles.CLOCK_INSTRUCTIONS, total=1_000_000):
    """Functions f0, f1, … with self values; the first gets what the others leave of the total."""
    profile = profiles.Profile(clock, 0)
    main = profile.add(0, 0, 1, total - sum(growths))
    for function, value in enumerate(growths, 1):
        profile.add(main, function, 1, value)
    return profile.name(*(f"f{i}" for i in range(len(growths) + 1)))


def check_limit(differ, before, after, limit, grown):
    """`grown`: what stderr tells, in order; empty where nothing is told."""
    differ.load(before, after)
    result = differ.run("--fail-above", limit)
    lines = result.stderr.decode().split("\n")
    told = [line.split(":")[0] for line in lines[1:-1]]
    check(told == grown, f"--fail-above {limit}: {lines}")
    check(result.returncode == (3 if grown else 0), f"--fail-above {limit}: {result.returncode}")
    check(result.stdout == differ.diff(), f"--fail-above {limit}: another report")


def check_limits(differ):
    before = grower([1000, 2000])
    moved = grower([1000, 7000])  # 0.5 % of the total moved from f0 to f2
    check_limit(differ, before, before, "0", [])
    check_limit(differ, before, moved, "0.5%", [])
    check_limit(differ, before, moved, "0.499999999%", ["f2"])
    check_limit(differ, moved, before, "0.5", [])
    check_limit(differ, moved, before, "0.49", ["f0"])
    more = grower([1000, 2000], total=1_050_001)  # of one more than 5 %
    check_limit(differ, before, more, "5.0001%", [])
    check_limit(differ, before, more, "5%", ["the total", "f0"])
    check_limit(differ, before, more, "999999999.999999999%", [])
    least = grower([2**64 - 3], total=2**64 - 3)
    most = grower([2**64 - 2], total=2**64 - 2)
    check_limit(differ, least, most, "0%", ["the total", "f1"])
    check_limit(differ, least, most, "0.000000001%", [])
    check_limit(differ, profiles.empty(), profiles.empty(), "0%", [])
    check_limit(differ, profiles.empty(), profiles.zero_time(), "0%", [])
    check_limit(differ, profiles.empty(), profiles.program(), "999999999%", [
        "the total", "json", "malloc", "app", "func[4]", "_start"])
    growths = [10 * i for i in range(1, 26)]
    many = grower(growths, total=2_000_000)
    none = grower([0] * 25, total=2_000_000 - sum(growths))
    check_limit(differ, none, many, "0", [
        "the total", *(f"f{i}" for i in range(25, 5, -1)), "and 5 more functions"])


# ---- All of it

def check_other_tools(differ, folder):
    """difffolded.pl makes the same of the two folded reports, and flamegraph.pl draws it."""
    before, after = profiles.instructions(), pairs.altered(profiles.instructions)
    differ.load(before, after)
    folded = []
    for path in differ.paths:
        folded.append(path.with_suffix(".folded"))
        subprocess.run([differ.tool, "report", "--show=hooks", path, "-o", folded[-1]], check=True)
    ours = differ.diff("--format", "folded")
    theirs = subprocess.run(["perl", folder / "difffolded.pl", *folded], check=True,
                            capture_output=True).stdout
    check(sorted(ours.splitlines()) == sorted(theirs.splitlines()), "difffolded.pl differs")
    picture = subprocess.run(["perl", folder / "flamegraph.pl"], input=ours, check=True,
                             capture_output=True).stdout.decode()
    frames = {}
    for stack, weight, _ in Oracle(after.encode()).stacks(";"):
        frames[stack] = frames.get(stack, 0) + weight
    for stack, weight, _ in Oracle(before.encode()).stacks(";"):
        frames[stack] = frames.get(stack, 0) - weight
    deltas = sorted(re.findall(r"; ([+-]?[\d.]+)%\)</title>", picture))
    whole = total_of(Oracle(after.encode()))
    drawn = [delta for stack, delta in frames.items() if delta > 0]
    wanted = {f"+{100 * delta / whole:.2f}" for delta in drawn}
    check(wanted <= set(deltas), f"flamegraph.pl shows {deltas}, not {wanted}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wasm-perf", required=True)
    parser.add_argument("--flamegraph-tools", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        differ = Differ(arguments.wasm_perf, folder)
        for name, before, after in pairs.pairs():
            oracles = differ.load(before, after)
            if name == "half_named":
                check(differ.run().returncode == 1, "profiles with and without names are compared")
                differ.options = ["--force"]
            is_large = len(before.nodes) > 10_000
            for sort in ["self"] if is_large else SORTS:
                check_table(name, differ, oracles, "function", Oracle.functions, sort)
            check_folded(name, differ, oracles)
            if not is_large:
                check_table(name, differ, oracles, "stack", stack_values, "self", ";".join)
            if name != "extremes":  # sums beyond the range of the format
                check_flamegraph(name, differ, oracles)
        check_limits(differ)
        if arguments.flamegraph_tools:
            check_other_tools(differ, arguments.flamegraph_tools)
    finish()


if __name__ == "__main__":
    main()
