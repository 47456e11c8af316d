#!/usr/bin/env python3
"""Twice the input, twice the work: no item of a module may make the rewriter walk another again.
The work is counted (count_work.c), so the answer is the same on every machine.
Usage: work_test.py COUNT-WORK [CASE...]"""

import pathlib
import subprocess
import sys
import tempfile

from memory_test import HEADER, code, leb, module, section, sized, vector

LARGE = 1000           # items in the smaller one of two inputs
GROWTH_AT_MOST = 2.25  # sorting takes a little more than twice as long

HOWS = ["plain", "instructions", "host", "list", "list select", "select", "embed instructions",
        "embed instructions memory lines guest", "symbols"]


def custom(name, contents):
    return section(0, sized(name) + contents)


def names(*subsections):
    return custom(b"name", b"".join(bytes([number]) + sized(contents) for number, contents in subsections))


def body_of(size):
    """So many instructions and conditional exits, among which hints find their places."""
    return code(b"\x41\0\x0d\0" * size)


def hints(functions):
    return custom(b"metadata.code.branch_hint", vector(
        [leb(index) + vector([leb(offset) + b"\1\0" for offset in offsets]) for index, offsets in functions]))


def labels(functions):
    return 3, vector([leb(index) + vector([leb(label) + b"\1l" for label in range(count)])
                      for index, count in functions])


COMPONENT = b"\0asm\x0d\0\1\0"


def component(parts, names_of_modules=()):
    """`parts` are nested components, the names subsections of the section component-name."""
    subsections = b"".join(b"\1" + sized(b"\0\x11" + vector(names)) for names in names_of_modules)
    return (COMPONENT + section(4, COMPONENT) * parts
            + custom(b"component-name", subsections))


def imports(count, entry):
    return section(2, leb(count) + entry * count)


# ---- DWARF ---------------------------------------------------------------------------------

STMT_LIST, NAME, DECL_FILE = (b"\x10", b"\x17"), (b"\x03", b"\x0e"), (b"\x3a", b"\x0f")
COMPILE_UNIT, SUBPROGRAM = b"\x11", b"\x2e"


def word(number):
    return number.to_bytes(4, "little")


def abbreviations(*entries):
    """Entries of (tag, attributes), coded from 1 on, each with children."""
    return custom(b".debug_abbrev", b"".join(
        bytes([i + 1]) + tag + b"\1" + b"".join(name + form for name, form in attributes) + b"\0\0"
        for i, (tag, attributes) in enumerate(entries)) + b"\0")


def unit(contents):
    return word(len(contents) + 7) + b"\4\0" + word(0) + b"\4" + contents


def line_table(files, end=b"\0"):
    header = b"\1\1\xfb\x0e\x0d\0\1\1\1\1\0\0\0\1\0\0\1\0" + b"f\0\0\0\0" * files + end
    contents = b"\2\0" + word(len(header)) + header
    return word(len(contents)) + contents


def dwarf(*sections):
    return module([code(b"")], b"".join(sections))


def units_with_tables(n, offsets, tables):
    """Units that name line tables in turn, which many more files than units are in."""
    return dwarf(abbreviations((COMPILE_UNIT, [STMT_LIST])), custom(b".debug_line", tables),
                 custom(b".debug_info", b"".join(unit(b"\1" + word(offsets[i % len(offsets)]) + b"\0")
                                                 for i in range(n))))


def entries_with_names(n, texts):
    """Entries that all have the same long name."""
    return dwarf(abbreviations((COMPILE_UNIT, []), (SUBPROGRAM, [NAME])), custom(b".debug_str", texts),
                 custom(b".debug_info", unit(b"\1" + (b"\2" + word(0) + b"\0") * n + b"\0")))


def units_that_name_the_last_file(n):
    attributes = [(b"\x11", b"\1"), DECL_FILE, (b"\x3b", b"\x0f")]
    root = b"\1" + word(0) + b"\2" + word(2) + leb(8 * n) + b"\1" + b"\0\0"  # the body begins at 2
    return dwarf(abbreviations((COMPILE_UNIT, [STMT_LIST]), (SUBPROGRAM, attributes)),
                 custom(b".debug_line", line_table(8 * n)), custom(b".debug_info", unit(root) * (8 * n)))


# name: a module of n items
CASES = {
    "hints of one function, again and again": lambda n: module(
        [body_of(n)], before_code=hints([(0, [3])] * n)),
    "many hints of one function": lambda n: module(
        [body_of(n)], before_code=hints([(0, [3 + 4 * i for i in range(n)])])),
    "many hints at one place": lambda n: module([body_of(n)], before_code=hints([(0, [3] * n)])),
    "many sections of hints": lambda n: module([body_of(n)], before_code=hints([(0, [3])]) * n),
    "hints of many functions": lambda n: module(
        [body_of(1)] * n, before_code=hints([(i, [3]) for i in range(n)])),
    "labels of one function, again and again": lambda n: module([body_of(n)], names(labels([(0, 1)] * n))),
    "many subsections of labels": lambda n: module([body_of(n)], names(*[labels([(0, 1)])] * n)),
    "many name sections": lambda n: module([body_of(n)], names(labels([(0, 1)])) * n),
    "name sections in front of the code": lambda n: module(
        [body_of(n)], before_code=names(labels([(0, 1)])) * n),
    "many labels": lambda n: module([body_of(n)], names(labels([(0, n)]))),
    "names of many functions": lambda n: module(
        [code(b"")] * n, names((1, vector([leb(i) + sized(b"_Z1a%d" % i) for i in range(n)])))),
    "one function named again and again": lambda n: module(
        [code(b"")] * n, names((1, vector([b"\0" + sized(b"ab%d" % i) for i in range(n)])))),
    "a long name": lambda n: module([code(b"")], names((1, vector([b"\0" + sized(b"ab" * n)])))),
    "long mangled names": lambda n: module([code(b"")] * 8, names(
        (1, vector([leb(i) + sized(b"_ZN" + b"1a" * n + b"E") for i in range(8)])))),
    "producers again and again": lambda n: module([code(b"")], custom(
        b"producers", vector([sized(b"processed-by") + vector([sized(b"a") * 2] * 4)] * n))),
    "many sections of producers": lambda n: module([code(b"")], custom(b"producers", b"\0") * n),
    "attributes of functions": lambda n: module(
        [code(b"")], custom(b"llvm.func_attr.annotate.a", b"\0\0\0\0" * n)),
    "many dropped sections": lambda n: module([code(b"")], custom(b"build_id", b"") * n),
    "many debug sections": lambda n: module([code(b"")], custom(b".debug_a", b"x") * n),
    "debug sections in front of the code": lambda n: module(
        [code(b"")], before_code=custom(b".debug_info", b"x") * n),
    "many unknown sections": lambda n: module([code(b"")], custom(b"a", b"x") * n),
    "many types": lambda n: HEADER + section(1, leb(n) + b"\x60\0\0" * n),
    "many types of several results": lambda n: HEADER + section(1, vector(
        [b"\x60\0" + vector([bytes([0x7C + (i >> s & 3)]) for s in range(0, 24, 2)]) for i in range(n)])),
    "many function imports": lambda n: HEADER + section(1, b"\1\x60\0\0") + imports(n, b"\1a\1b\0\0"),
    "many exports": lambda n: module([code(b"")], before_code=section(
        7, vector([sized(b"a%d" % i) + b"\0\0" for i in range(n)]))),
    "many globals": lambda n: module([code(b"")], before_code=section(6, vector([b"\x7f\0\x41\0\x0b"] * n))),
    "many segments": lambda n: module([code(b"")], before_code=section(
        9, vector([b"\0\x41\0\x0b\1\0"] * n))),
    "data that looks like Python's": lambda n: module(
        [code(b"")], section(11, vector([b"\0\x41\0\x0b" + sized(b"xdebugpy")] * n)), before_code=section(5, b"\1\0\1")),
    "many elements": lambda n: module([code(b"")], before_code=section(9, b"\1\1\0" + leb(n) + b"\0" * n)),
    "many calls": lambda n: module([code(b"\x10\0" * n)]),
    "many returns": lambda n: module([code(b"\x0f" * n)]),
    "nested blocks": lambda n: module([code(b"\2\x40" * n + b"\x0b" * n)]),
    "nested loops, each a landing pad": lambda n: module([code(
        b"\3\x40" * n + b"\x1f\x40" + vector([b"\2" + leb(i) for i in range(n)]) + b"\x0b" + b"\x0b" * n)]),
    "try_tables in a row": lambda n: module([code(b"\x1f\x40\1\2\0\x0b" * n)]),
    "nested try_tables": lambda n: module([code(b"\x1f\x40\1\2\0" * n + b"\x0b" * n)]),
    "legacy catches": lambda n: module([code(b"\6\x40" + b"\x19\x0b\6\x40" * n + b"\x0b")]),
    "a br_table of many targets": lambda n: module([code(b"\x41\0\x0e" + leb(n) + b"\0" * (n + 1))]),
    "many br_tables": lambda n: module([code(b"\x41\0\x0e\1\0\0" * n)]),
    "groups of locals": lambda n: module([leb(n) + b"\1\x7f" * n + b"\x0b"]),
    "many functions": lambda n: module([code(b"\1")] * n),
    "a long name called again and again": lambda n: module(
        [code(b"\x10\0" * n)], names((1, vector([b"\0" + sized(b"ab" * n)])))),
    "a name of entries that does not end": lambda n: entries_with_names(16 * n, b"a" * 64 * n),
    "a name of entries that does": lambda n: entries_with_names(16 * n, b"a" * 64 * n + b"\0"),
    "units with line tables in turn": lambda n: units_with_tables(
        8 * n, [0, len(line_table(8 * n))], line_table(8 * n) * 2),
    "units with damaged line tables in turn": lambda n: units_with_tables(
        8 * n, [0, 60], line_table(8 * n, end=b"f")),
    "units that name the last file": units_that_name_the_last_file,
    "names of core modules again and again": lambda n: component(n, [[leb(9) + sized(b"a")]] * n),
    "the longest calls, all of imports": lambda n: (
        HEADER + section(1, b"\1\x60\0\0") + imports(1, b"\1a\1b\0\0") + section(3, b"\1\0")
        + section(10, vector([sized(code(b"\x10\x80\x80\x80\x80\0" * n))]))),
}


def count(tool, how, folder, contents):
    path = folder / "in.wasm"
    path.write_bytes(contents)
    result = subprocess.run([tool, how, path], capture_output=True, text=True, check=True)
    work, outcome = result.stdout.split()
    return int(work), outcome


def check(tool, folder, name):
    small, large = CASES[name](LARGE), CASES[name](2 * LARGE)
    problems = []
    for how in HOWS:
        before, _ = count(tool, how, folder, small)
        after, outcome = count(tool, how, folder, large)
        if after > GROWTH_AT_MOST * before:
            problems.append(f"{how}: {before} -> {after}, {outcome}")
    return problems


def main():
    tool = sys.argv[1]
    failures = 0
    chosen = sys.argv[2:] or CASES
    with tempfile.TemporaryDirectory() as name:
        for case in chosen:
            problems = check(tool, pathlib.Path(name), case)
            failures += bool(problems)
            print(f"{'FAIL' if problems else 'ok  '} {case}{''.join('; ' + p for p in problems)}", flush=True)
    print(f"{len(chosen) - failures} passed, {failures} failed")
    return 1 if failures else 0


sys.exit(main())
