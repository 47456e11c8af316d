#!/usr/bin/env python3
"""Checks the report formats by programs that read them.

    readers_test.py --export BUILD/report-export --node NODE FORMAT   against the oracle
    readers_test.py --export BUILD/report-export --node NODE --agree  against each other

A format has a reader if there is readers/FORMAT.mjs or readers/FORMAT.py, and takes part in both
then. A reader is called with the name of one file of its format and prints a line for each function:

    SELF TOTAL CALLS NAME

in any order: decimal integers in nanoseconds, instructions, ticks or calls, as the profile has them,
and for CALLS "-" where the format does not hold them. NAME is the rest of the line. What the format's
schema or program does not accept ends it with a message and any exit code but 0. Code 77 says that it
cannot run because something is not installed, which fails the test with --all only.

WI_UNIT in its environment is the unit of the profile's values ("nanoseconds", "instructions",
"ticks", "calls"), for formats that do not tell. WI_NPM is the folder of npm packages.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import profiles
from oracle import LARGEST, Oracle

READERS = pathlib.Path(__file__).parent / "readers"
NOT_INSTALLED = 77
TOP_COUNT = 10

# What a format cannot hold, or its reader cannot tell: {(format, profile): fields}.
EXCEPTED = {
    ("speedscope", "extremes"): {"calls"},  # positions end at 2^64 - 1
}

failures = []
skipped = set()


def check(condition, message):
    if not condition:
        failures.append(message)
        print("FAIL", message)


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
        raise RuntimeError(f"no reader of {format_name}")
    file = profile_path.with_name(f"report.{arguments.extensions[format_name] or format_name}")
    with open(file, "wb") as output:
        subprocess.run([arguments.export, format_name, profile_path], check=True, stdout=output)
    command = [arguments.node] if reader.suffix == ".mjs" else [sys.executable, "-B"]
    result = subprocess.run([*command, reader, file], stdout=subprocess.PIPE,
                            env=dict(os.environ, WI_UNIT=unit))
    if result.returncode == NOT_INSTALLED:
        skipped.add(format_name)
        return None
    if result.returncode != 0:
        raise RuntimeError(f"exit code {result.returncode}")
    functions = {}
    for line in result.stdout.decode().split("\n")[:-1]:
        self_value, total, calls, name = line.split(" ", 3)
        if name in functions:
            raise RuntimeError(f"two lines for {name!r}")
        functions[name] = {"self": int(self_value), "total": int(total),
                           "calls": None if calls == "-" else int(calls)}
    return functions


def compare(format_name, name, functions, expected):
    """`expected` is the oracle's: {name: (self, total, calls)}."""
    check(set(functions) == set(expected), f"{format_name}, {name}: other functions")
    excepted = EXCEPTED.get((format_name, name), set())
    for function in set(functions) & set(expected):
        for field, value in zip(("self", "total", "calls"), expected[function]):
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


def summarize(functions):
    """The sum of all, and the first functions by self value."""
    rows = sorted(functions.items(), key=lambda item: (-item[1]["self"], item[0].encode()))
    whole = min(sum(row["self"] for _, row in rows), LARGEST)
    return whole, [(name, row["self"], row["total"]) for name, row in rows[:TOP_COUNT]]


def check_agreement(arguments, name, oracle, path):
    first = None
    for format_name in filter(reader_of, arguments.extensions):
        functions = read(arguments, format_name, path, unit_of(oracle))
        if functions is None:
            continue
        summary = summarize(functions)
        first = first or (format_name, summary)
        check(summary == first[1], f"{name}: {format_name} and {first[0]} differ")


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
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else NOT_INSTALLED if skipped and arguments.format else 0)


if __name__ == "__main__":
    main()
