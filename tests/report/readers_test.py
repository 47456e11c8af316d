#!/usr/bin/env python3
"""Checks the report formats by programs that read them.

    readers_test.py --export BUILD/report-export --node NODE FORMAT   against the oracle
    readers_test.py --export BUILD/report-export --node NODE --agree  against each other

A format has a reader if there is readers/FORMAT.mjs or readers/FORMAT.py; every format of
report-export has to have one, or a reason in WITHOUT_READER. All take part in --agree. Formats that
leave something out of large profiles have tests of their own instead of the one against the oracle.

A reader is called with the name of one file of its format, in this folder (one in Python as a module,
readers.FORMAT), and prints a line for each function:

    SELF TOTAL CALLS NAME

in any order: decimal integers in nanoseconds, instructions, ticks or calls, as the profile has them,
with "-" for TOTAL or CALLS where the format does not hold them. NAME is the rest of the line. What
the format's schema or program does not accept ends it with a message and any exit code but 0. Code 77
says that it cannot run because something is not installed, which fails the test with --all only.

WI_UNIT in its environment is the unit of the profile's values ("nanoseconds", "instructions",
"ticks", "calls"), for formats that do not tell. WI_NPM is the folder of npm packages, by default the
one that scripts/test.sh installs into.
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import profiles
from checks import check, finish
from oracle import LARGEST, Oracle

READERS = pathlib.Path(__file__).resolve().parent / "readers"
NOT_INSTALLED = 77
FIELDS = ("self", "total", "calls")

# What a format cannot hold, or its reader cannot tell: {(format, profile): fields}.
EXCEPTED = {
    ("otlp", "extremes"): {"calls"},  # sums end at 2^63 - 1
    ("pprof", "extremes"): {"calls"},  # the same
    ("speedscope", "extremes"): {"calls"},  # positions end at 2^64 - 1
}

# Where functions do not agree, since the format leaves out or renames some: {(format, profile): why}.
INCOMPARABLE = {
    ("flamegraph", "many_functions"): "some frames are too narrow to draw",
    ("folded", "odd_names"): "';' separates frames, so that names have ':' for it",
}

# Formats for people, which round: {format: which test compares what they show with the oracle}.
WITHOUT_READER = {
    "cobertura": "debug.coverage",
    "coverage": "debug.coverage",
    "coverage_page": "debug.coverage",
    "lcov": "debug.lines",  # it has calls and lines alone
    "llvmcov": "debug.coverage",
    "md": "cli_perf.explain",
    "memory": "memory.reports",
    "top": "report.formats",
    "tree": "report.views",
}

skipped = set()


def reader_of(format_name):
    """The reader's file, or None."""
    paths = [READERS / f"{format_name}{suffix}" for suffix in (".mjs", ".py")]
    return next((path for path in paths if path.exists()), None)


def unit_of(oracle):
    if oracle.clock == profiles.CLOCK_NONE:
        return "calls"
    if oracle.ticks_per_second:
        return "nanoseconds"
    return "instructions" if oracle.clock == profiles.CLOCK_INSTRUCTIONS else "ticks"


def read(arguments, format_name, profile_path, unit):
    """{name: {"self", "total", "calls"}} as the format's reader tells; None if it cannot run."""
    reader = reader_of(format_name)
    if reader is None:
        raise RuntimeError("no reader")
    file = profile_path.with_name(f"report.{arguments.extensions[format_name] or format_name}")
    with open(file, "wb") as output:
        subprocess.run([arguments.export, format_name, profile_path], check=True, stdout=output)
    module = [sys.executable, "-B", "-m", f"readers.{format_name}"]
    command = [arguments.node, reader] if reader.suffix == ".mjs" else module
    result = subprocess.run([*command, file], stdout=subprocess.PIPE, cwd=READERS.parent,
                            env=dict(os.environ, WI_UNIT=unit))
    if result.returncode == NOT_INSTALLED:
        skipped.add(format_name)
        return None
    if result.returncode != 0:
        raise RuntimeError(f"exit code {result.returncode}")
    functions = {}
    for line in result.stdout.decode().split("\n")[:-1]:
        *numbers, name = line.split(" ", 3)
        if name in functions:
            raise RuntimeError(f"two lines for {name!r}")
        functions[name] = {field: None if number == "-" else int(number)
                           for field, number in zip(FIELDS, numbers, strict=True)}
    return functions


def compare(format_name, name, functions, expected):
    """`expected` is the oracle's: {name: (self, total, calls)}."""
    if format_name == "cpuprofile":  # has no calls, and nothing to say of functions without a value
        expected = {key: values for key, values in expected.items() if values[1] > 0}
    check(set(functions) == set(expected), f"{format_name}, {name}: other functions")
    excepted = EXCEPTED.get((format_name, name), set())
    for function in set(functions) & set(expected):
        for field, value in zip(FIELDS, expected[function]):
            found = functions[function][field]
            check(found in (None, value) or field in excepted,
                  f"{format_name}, {name}: {field} of {function!r} is {found}, not {value}")


def check_format(arguments, name, oracle, path):
    functions = read(arguments, arguments.format, path, unit_of(oracle))
    if functions is not None:
        compare(arguments.format, name, functions, oracle.functions())


def check_full_device(arguments, path):
    """A report that cannot be written must not look like a success."""
    if pathlib.Path("/dev/full").exists():
        with open("/dev/full", "wb") as full:
            result = subprocess.run([arguments.export, arguments.format, path], stdout=full,
                                    stderr=subprocess.PIPE)
        check(result.returncode == 1, "a full device went unnoticed")


def check_coverage(format_names):
    """A new format needs a reader, or a reason not to have one."""
    for format_name in format_names:
        check((reader_of(format_name) is None) == (format_name in WITHOUT_READER),
              f"{format_name}: give it a reader, or a reason in WITHOUT_READER; not both")
    excepted = {format_name for format_name, _ in (*EXCEPTED, *INCOMPARABLE)}
    unknown = (excepted | WITHOUT_READER.keys()) - set(format_names)
    check(not unknown, f"exceptions for what is no format: {unknown}")


def compare_formats(name, readings):
    """`readings` is what each format says, functions without value aside: some leave them out."""
    first = None
    found = {}  # (function, field): what is said of it first, and where
    for format_name, functions in readings.items():
        functions = {function: row for function, row in functions.items()
                     if row["self"] or row["total"]}
        first = first or (format_name, functions.keys())
        check(functions.keys() == first[1], f"{name}: functions in {format_name} and {first[0]}")
        excepted = EXCEPTED.get((format_name, name), set())
        for function, row in functions.items():
            for field in FIELDS:
                if row[field] is None or field in excepted:
                    continue
                value, where = found.setdefault((function, field), (row[field], format_name))
                check(row[field] == value, f"{name}: {field} of {function!r} is {row[field]} in "
                                           f"{format_name}, {value} in {where}")


def check_agreement(arguments, name, oracle, path):
    format_names = [format_name for format_name in arguments.extensions
                    if reader_of(format_name) and (format_name, name) not in INCOMPARABLE]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pending = {format_name: pool.submit(read, arguments, format_name, path, unit_of(oracle))
                   for format_name in format_names}
    readings = {}
    for format_name, reading in pending.items():
        try:
            readings[format_name] = reading.result()
        except (RuntimeError, ValueError) as error:
            check(False, f"{format_name}, {name}: {error}")
    compare_formats(name, {format_name: functions for format_name, functions in readings.items()
                           if functions is not None})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--export", required=True, help="the report-export program")
    parser.add_argument("--node", required=True, help="the node program")
    parser.add_argument("--agree", action="store_true", help="compare all formats that have readers")
    parser.add_argument("--all", action="store_true", help="fail where a reader cannot run")
    parser.add_argument("format", nargs="?")
    arguments = parser.parse_args()
    listing = subprocess.run([arguments.export], check=True, stdout=subprocess.PIPE, text=True).stdout
    arguments.extensions = dict(line.split("\t") for line in listing.splitlines())
    if arguments.agree == bool(arguments.format):
        parser.error("give a format or --agree")
    checker = check_agreement if arguments.agree else check_format
    check_coverage(arguments.extensions)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "test.wperf"
        for make in profiles.GOLDEN + ([] if arguments.agree else profiles.LARGE):
            path.write_bytes(make().encode())
            try:
                checker(arguments, make.__name__, Oracle(path.read_bytes()), path)
            except (RuntimeError, ValueError) as error:
                check(False, f"{make.__name__}: {error}")
        if arguments.format:
            check_full_device(arguments, path)
    for format_name in sorted(skipped):
        print("SKIPPED", format_name)
    check(not (skipped and arguments.all), "a reader cannot run")
    finish(NOT_INSTALLED if skipped and arguments.format else 0)


if __name__ == "__main__":
    main()
