#!/usr/bin/env python3
"""Checks the trees that wasm-perf draws (tree, callers, callees) against the oracle: every number of
every line, which lines there are and what the others add up to.

    views_test.py --wasm-perf BUILD/wasm-perf
"""

import argparse
import collections
import fractions
import pathlib
import re
import subprocess
import tempfile

import profiles
from checks import check, finish
from oracle import Oracle

# rows, levels, share in percent; None: the default
LIMITS = [(None, None, None), (10**6, 10**6, 0), (7, None, None), (None, 2, 0), (None, None, 5),
          (1, None, None), (None, 1, None), (3, 3, "0.0001")]
DEFAULT_LIMITS = (20, 40, 1)
HOST = "(host)"
MARKS = ("↳ ", "├─ ", "└─ ")
RUN = re.compile(r" ×([\d,]+)$")
# A line of the tree; of several hidden frames, or of one, which has its name.
Line = collections.namedtuple("Line", "path cells hidden_count frames name", defaults=[1, None])


def in_instructions(make):
    """The same calls with a value that every line shows to the last digit."""
    profile = make()
    profile.clock = profiles.CLOCK_INSTRUCTIONS
    profile.ticks_per_second = 0
    profile.nodes = [(function, parent, calls, ticks % 10**15)
                     for function, parent, calls, ticks in profile.nodes]
    return profile


# ---- Numbers ---------------------------------------------------------------------------------


def nearest(value, decimals):
    """Half is rounded up."""
    return int(fractions.Fraction(value) * 10**decimals + fractions.Fraction(1, 2))


def decimal(value, decimals):
    digits = nearest(value, decimals)
    whole = f"{digits // 10**decimals:,}"
    return whole + (f".{digits % 10**decimals:0{decimals}}" if decimals else "")


def share(part, whole):
    return decimal(min(fractions.Fraction(100 * part, whole), 100) if whole else 0, 2)


def time_text(nanoseconds):
    """Three digits, and none that are not there."""
    if nanoseconds < 1000:
        return f"{nanoseconds} ns"
    dropped = 1
    while dropped < 9 and nearest(fractions.Fraction(nanoseconds, 10**dropped), 0) >= 1000:
        dropped += 1
    unit = ("µs", "ms", "s")[(dropped - 1) // 3]
    decimals = 2 - (dropped - 1) % 3
    return f"{decimal(fractions.Fraction(nanoseconds, 10**(dropped + decimals)), decimals)} {unit}"


def has_times(oracle):
    return oracle.clock != profiles.CLOCK_NONE and oracle.ticks_per_second != 0


def cells_of(oracle, values, whole):
    """What the columns must show."""
    own, total, calls = values
    sums = [time_text(number) if has_times(oracle) else f"{number:,}" for number in (total, own)]
    if oracle.clock == profiles.CLOCK_NONE:
        sums.pop()
    return [share(total, whole), *sums, f"{calls:,}"]


def split_cells(text):
    """Cells have two spaces between them, and one within."""
    return [cell for cell in re.split(r"\s{2,}", text.strip()) if cell]


# ---- Lines -----------------------------------------------------------------------------------


def split_line(line, name_column):
    """(what stands in each column before the mark, mark, rest); the top level has no mark."""
    text = line[name_column:]
    stops = []
    while text[:3] in ("│  ", "   "):
        stops.append(text[:3])
        text = text[3:]
    for mark in MARKS:
        if text.startswith(mark):
            return stops, mark, text[len(mark):]
    return stops, "", text


def read_lines(output, has_root):
    """The tree that the lines draw, in their order."""
    lines = output.split("\n")
    headings = [i for i, line in enumerate(lines) if line.endswith("function")]
    if not headings:
        return []
    name_column = lines[headings[0]].index("function")
    result = []
    open_parents = {}  # per column: whose children more are to come of
    last_path, child_column = (), 0  # of the line above
    for line in lines[headings[0] + 1:]:
        if line == "":
            break
        stops, mark, text = split_line(profiles.without_place(line), name_column)
        column = len(stops)
        check(not mark or column in open_parents or column == child_column, f"column of {line!r}")
        check(all(stop == "│  " or level not in open_parents for level, stop in enumerate(stops)) and
              all(stop == "   " or level in open_parents for level, stop in enumerate(stops)),
              f"branches of {line!r}")
        parent = open_parents.pop(column, last_path) if mark else ()
        if mark == "├─ ":
            open_parents[column] = parent
        cells = split_cells(line[:name_column])
        if text.startswith("… "):
            count = re.fullmatch("… ([0-9,]+) more", text)
            name = None if count else text[len("… "):]
            result.append(Line(parent, cells, int(count[1].replace(",", "")) if count else 1, 1, name))
            continue
        run = RUN.search(text)
        text = RUN.sub("", text)
        child_column = column + (mark in MARKS[1:])
        last_path = () if has_root and not mark else parent + (text,)
        result.append(Line(last_path, cells, 0, int(run[1].replace(",", "")) if run else 1))
    return result


# ---- What must be there ----------------------------------------------------------------------


def rank(values):
    return values[1], values[0], values[2]


def is_large(kind, path, values, root, limit):
    if limit == 0 or root[1] == 0:
        return True
    numbers = [(values[1], root[1])]
    if kind == "callees" and path[-1] == root[3]:
        numbers += [(values[0], root[0]), (values[2], root[2])]
    return any(whole and 100 * fractions.Fraction(part, whole) >= fractions.Fraction(limit)
               for part, whole in numbers)


def check_view(label, oracle, kind, function, paths, runs, output, limits):
    rows, depth, min_share = (given if given is not None else default
                              for given, default in zip(limits, DEFAULT_LIMITS))
    root = (*paths.get((), (0, 0, 0)), function)
    lines = read_lines(output, kind != "tree")
    if not lines:
        check(not paths, f"{label}: no lines")
        return
    shown = {line.path: line for line in lines if not line.hidden_count}
    check(len(shown) == sum(not line.hidden_count for line in lines), f"{label}: a line twice")
    allowed = set()
    for path in sorted(paths, key=len):
        if path and len(path) <= depth and (path[:-1] in allowed or len(path) == 1) and \
                is_large(kind, path, paths[path], root, min_share):
            allowed.add(path)
    below_root = {path for path in shown if path}
    check(below_root <= allowed, f"{label}: {sorted(below_root - allowed)[:3]} should be left out")
    siblings = collections.Counter(path[:-1] for path in paths if path)
    forks = {path for path in allowed if siblings[path[:-1]] > 1}  # an only child is no row
    check(len(below_root & forks) == min(rows, len(forks)),
          f"{label}: {len(below_root & forks)} rows of {len(forks)}, at most {rows}")
    check(all(path in below_root for path in allowed - forks if path[:-1] in shown or len(path) == 1),
          f"{label}: a line of calls is cut")
    if below_root & forks and forks > below_root & forks:
        # Below a frame of the same total may stand one of more self and calls, but not of callers.
        key = rank if kind == "callers" else lambda values: values[1]
        check(min(key(paths[path]) for path in below_root & forks) >=
              max(key(paths[path]) for path in forks - below_root), f"{label}: not the largest")
    for line in lines:
        check(line.hidden_count or line.frames == runs.get(line.path, 1), f"{label}: {line}: ×")
    check_lines(label, oracle, paths, lines, root[1], min_share)


def check_lines(label, oracle, paths, lines, whole, min_share):
    children = collections.defaultdict(list)
    for path in paths:
        if path:
            children[path[:-1]].append(path)
    shown = {line.path for line in lines if not line.hidden_count}
    hidden = {line.path: line for line in lines if line.hidden_count}
    order = collections.defaultdict(list)
    for line in lines:
        if line.hidden_count:
            continue
        expected = cells_of(oracle, paths[line.path], whole)
        check(line.cells == expected, f"{label}: {line.path} {line.cells}, not {expected}")
        if line.path:
            order[line.path[:-1]].append(paths[line.path])
    for parent, siblings in order.items():
        check(siblings == sorted(siblings, key=rank, reverse=True), f"{label}: order below {parent}")
    for path in shown | {()}:
        names = [child[-1] for child in children[path] if child not in shown]
        left_out = [paths[child] for child in children[path] if child not in shown]
        together = fractions.Fraction(100 * min(sum(numbers[1] for numbers in left_out), 2**64 - 1))
        is_worth_it = not whole or together / whole >= fractions.Fraction(min_share)
        check((path in hidden) == (bool(left_out) and is_worth_it),
              f"{label}: what is left out below {path}")
        if path in hidden and left_out:
            expected = cells_of(oracle, [min(sum(numbers), 2**64 - 1) for numbers in zip(*left_out)],
                                whole)
            check(hidden[path].hidden_count == len(left_out) and hidden[path].cells == expected,
                  f"{label}: {hidden[path]}, not {len(left_out)} of {expected}")
            check(hidden[path].name == (names[0] if len(names) == 1 else None),
                  f"{label}: {hidden[path]} is {names}")


def check_sums(label, paths):
    """Of callers: whatever level is added up, it is the function's own."""
    for path in paths:
        below = [paths[child] for child in paths if child[:-1] == path and child]
        if below and max(sum(numbers) for numbers in zip(*below)) < 2**64:
            check(tuple(map(sum, zip(*below))) == paths[path], f"{label}: sums below {path}")


# ---- Running ---------------------------------------------------------------------------------


def view(wasm_perf, kind, function, path, limits=(None, None, None)):
    command = [wasm_perf, kind]
    for option, value in zip(("--limit", "--depth", "--min-share"), limits):
        command += [option, str(value)] if value is not None else []
    command += ["--no-demangle", "--show=hooks", *([function] if function else []), path]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(result.returncode == 0, f"{command}: {result.stderr.decode()[:200]}")
    return result.stdout.decode()


def check_profile(wasm_perf, name, profile, path):
    path.write_bytes(profile.encode())
    oracle = Oracle(path.read_bytes())
    functions = oracle.functions()
    views = [("tree", None, oracle.tree(), oracle.runs)]
    for function in functions:
        callers, caller_runs = oracle.callers(function), oracle.runs
        check(callers[()] == functions[function], f"{name}: callers of {function!r} and top differ")
        check_sums(f"{name}: callers of {function!r}", callers)
        callees, callee_runs = oracle.callees(function), oracle.runs
        check(callees[()] == functions[function], f"{name}: callees of {function!r} and top differ")
        views += [("callers", function, callers, caller_runs),
                  ("callees", function, callees, callee_runs)]
    for i, (kind, function, paths, runs) in enumerate(views):
        for limits in LIMITS if kind == "tree" or len(functions) < 10 else LIMITS[i % 4:i % 4 + 1]:
            output = view(wasm_perf, kind, function, path, limits)
            check_view(f"{name}: {kind} {function or ''} {limits}", oracle, kind, function, paths,
                       runs, output, limits)


def most_lines(rows, limits):
    """Each row may begin a line of calls, and have one for what is left out."""
    return (rows + 1) * ((limits[1] or DEFAULT_LIMITS[1]) + 1)


def check_large(wasm_perf, make, path):
    """What is too large for whole stacks: ends, stays short, and the first line is that of top."""
    path.write_bytes(make().encode())
    oracle = Oracle(path.read_bytes())
    functions = oracle.functions()
    for function in sorted(functions)[:3]:
        for kind in ("callers", "callees"):
            for limits in LIMITS[:1] + LIMITS[2:]:
                output = view(wasm_perf, kind, function, path, limits)
                label = f"{make.__name__}: {kind} {function} {limits}"
                lines = read_lines(output, True)
                expected = cells_of(oracle, functions[function], functions[function][1])
                check(lines[0].cells == expected, f"{label}: {lines[0].cells}, not {expected}")
                rows = limits[0] or DEFAULT_LIMITS[0]
                check(len(lines) <= most_lines(rows, limits), f"{label}: {len(lines)} lines")
                check(max(map(len, output.split("\n"))) < 400, f"{label}: a long line")
    for limits in LIMITS[:1] + LIMITS[2:]:
        lines = read_lines(view(wasm_perf, "tree", None, path, limits), False)
        check(0 < len(lines) <= most_lines(limits[0] or DEFAULT_LIMITS[0], limits), f"{make.__name__}: tree")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wasm-perf", required=True, help="the command")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "test.wperf"
        for make in profiles.GOLDEN + [profiles.interpreter, profiles.depth_limit]:
            check_profile(arguments.wasm_perf, make.__name__, make(), path)
            check_profile(arguments.wasm_perf, make.__name__ + " in instructions",
                          in_instructions(make), path)
        for make in [profiles.deep, profiles.wide, profiles.crowded]:
            check_large(arguments.wasm_perf, make, path)
    finish()


if __name__ == "__main__":
    main()
