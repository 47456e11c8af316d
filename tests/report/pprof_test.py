#!/usr/bin/env python3
"""Checks --format pprof by what its readers make of it.

    pprof_test.py --export BUILD/report-export --go GO                      go tool pprof
    pprof_test.py --export BUILD/report-export --node NODE --package DIR    pprof-format from npm
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import tempfile

import profiles
from checks import check, finish
from oracle import Oracle

LARGEST = 2**63 - 1
TITLE = "module.wasm"
TYPES = {
    profiles.CLOCK_NONE: ["calls/count"],
    profiles.CLOCK_WALL: ["calls/count", "cpu/nanoseconds", "wall/nanoseconds"],
    profiles.CLOCK_SAMPLED: ["calls/count", "cpu/nanoseconds", "wall/nanoseconds"],
    profiles.CLOCK_INSTRUCTIONS: ["calls/count", "instructions/count"],
}
RAW_LOCATION = re.compile(r" +(\d+): 0x0 M=1 (.*) (?:module\.wasm:0(?::0)? s=0|/.*:(\d+)(?::0)? s=\3)(?:\((.*)\))?")
TOP_ROW = re.compile(r" *(\S+) +\S+ +\S+ +(\S+) +\S+  (.*)")


# What a reader found: samples are [(stack, values)] with the innermost frame first, system names
# by name.
Decoded = collections.namedtuple(
    "Decoded", "types default samples system_names comments period duration title")


class GoReader:
    """go tool pprof, kept from looking for newer versions of anything."""

    def __init__(self, go, folder):
        self.environment = {**os.environ, "GOTOOLCHAIN": "local", "GOPROXY": "off", "GOFLAGS": ""}
        self.command = [go, "tool", "pprof"]
        self.folder = folder

    def run(self, *arguments):
        result = subprocess.run([*self.command, *arguments], check=True, stdout=subprocess.PIPE,
                                cwd=self.folder, env=self.environment)
        return result.stdout.decode()

    def decode(self, path):
        head, _, rest = self.run("-raw", path).partition("Samples:\n")
        samples, _, rest = rest.partition("Locations\n")
        locations, _, mappings = rest.partition("Mappings\n")
        fields = [line.partition(": ")[::2] for line in head.splitlines()]
        types, *lines = samples.splitlines()
        names, system_names = {}, {}
        for line in locations.splitlines():
            number, name, _, system_name = RAW_LOCATION.fullmatch(line).groups()
            names[number] = name
            system_names[name] = name if system_name is None else system_name
        decoded = []
        for line in lines:
            values, _, stack = line.partition(": ")
            decoded.append((tuple(names[number] for number in stack.split()),
                            [int(value) for value in values.split()]))
        default = [name for name in types.split() if name.endswith("[dflt]")]
        check(dict(fields)["PeriodType"].replace(" ", "/") + "[dflt]" == default[0],
              f"{path}: period type")
        mapping = re.fullmatch(r"1: 0x0/0x0/0x0 (.*)  \[FN\]\n", mappings)
        return Decoded(types.replace("[dflt]", "").split(), default[0].partition("/")[0], decoded,
                       system_names, [text for key, text in fields if key == "Comment"],
                       int(dict(fields)["Period"]), None, mapping and mapping.group(1))

    def top(self, path, type_name):
        """{name: (flat, cum)} as pprof itself adds them up."""
        kind, unit = type_name.split("/")
        options = ["-unit=ns"] if unit == "nanoseconds" else []
        text = self.run("-top", "-nodefraction=0", "-edgefraction=0", "-nodecount=1000000",
                        f"-sample_index={kind}", *options, path)
        rows = text.partition("cum%\n")[2].splitlines()
        table = {}
        for flat, cum, name in (TOP_ROW.fullmatch(row).groups() for row in rows):
            check(name not in table, f"{path}: two rows of {name!r}")
            table[name] = (int(flat.removesuffix("ns")), int(cum.removesuffix("ns")))
        return table


class FormatReader:
    """pprof-format, which decodes the message and no more."""

    def __init__(self, node, package):
        script = pathlib.Path(__file__).parent / "pprof_decode.mjs"
        self.command = [node, script, package]

    def decode(self, path):
        result = subprocess.run([*self.command, path], check=True, stdout=subprocess.PIPE)
        fields = json.loads(result.stdout)
        samples = [(tuple(stack), [int(value) for value in values])
                   for stack, values in fields.pop("samples")]
        return Decoded(samples=samples, **fields)


def wanted_samples(oracle):
    """{stack: [calls, value]} of the stacks with either, the innermost frame first."""
    sums = collections.defaultdict(lambda: [0, 0])
    for stack, weight, calls in oracle.stacks():
        own = sums[stack[::-1]]
        own[0] += calls
        own[1] += weight
    return {stack: own for stack, own in sums.items() if any(own)}


def wanted_values(oracle, types):
    """{stack: values in the order of the types}."""
    host_names = oracle.host_names()
    wanted = {}
    for stack, (calls, value) in wanted_samples(oracle).items():
        cpu = 0 if stack[0] in host_names else value
        wanted[stack] = [{"calls": calls, "cpu": cpu}.get(name.partition("/")[0], value)
                         for name in types]
    return wanted


def wanted_system_names(oracle):
    """{name: the lowest function that has it, as the module counts}."""
    wanted = {}
    for function in sorted({node[0] for node in oracle.nodes[1:]}):
        name = "" if function == profiles.TRUNCATED else f"func[{function}]"
        wanted.setdefault(oracle.label(function), name)
    return wanted


def wanted_top(wanted, index):
    """{name: (flat, cum)} of what is not 0."""
    table = collections.defaultdict(lambda: [0, 0])
    for stack, values in wanted.items():
        table[stack[0]][0] += values[index]
        for name in set(stack):
            table[name][1] += values[index]
    return {name: tuple(sums) for name, sums in table.items() if sums[1]}


def check_functions(name, oracle, wanted, types):
    """Where no frames are left out the sums by stack are those by function."""
    if any("[...]" in stack for stack in wanted):
        return
    calls = wanted_top(wanted, 0)
    values = wanted_top(wanted, len(types) - 1)
    for function, sums in oracle.functions().items():
        flat, cum = values.get(function, (0, 0))
        check((flat, cum, calls.get(function, (0, 0))[0]) == sums, f"{name}: sums of {function!r}")


def check_decoded(name, oracle, decoded, summary):
    types = TYPES.get(oracle.clock, ["calls/count", "ticks/count"])
    check(decoded.types == types, f"{name}: values are {decoded.types}")
    check(decoded.default == types[-1].partition("/")[0], f"{name}: shows {decoded.default}")
    check(decoded.period == 1, f"{name}: period is {decoded.period}")
    check(decoded.title == TITLE, f"{name}: of {decoded.title}")
    check(decoded.comments[:len(summary)] == summary, f"{name}: comments {decoded.comments}")
    elided = any("[...]" in stack for stack, _ in decoded.samples)
    notes = decoded.comments[len(summary):]
    check(len(notes) == elided and all(note.startswith("Deeper than 250 ") for note in notes),
          f"{name}: notes {notes}")
    samples = dict(decoded.samples)
    check(len(samples) == len(decoded.samples), f"{name}: a stack has two samples")
    sums = [sum(column) for column in zip(*samples.values())]
    if decoded.duration is not None:
        is_time = types[-1] == "wall/nanoseconds"
        check(int(decoded.duration) == (sums[-1] if is_time and sums else 0),
              f"{name}: {decoded.duration} ns")
    wanted = wanted_values(oracle, types)
    if name == "extremes":  # more calls than readers can count
        check(sums[0] == LARGEST, f"{name}: {sums[0]} calls")
        samples = {stack: values[1:] for stack, values in samples.items()}
        check(samples == {stack: values[1:] for stack, values in wanted.items()},
              f"{name}: times differ")
        return
    check(samples == wanted, f"{name}: samples differ from the oracle's")
    check_functions(name, oracle, wanted, types)
    system_names = wanted_system_names(oracle)
    check(all(system_names.get(function, "") == decoded.system_names[function]
              for stack, _ in decoded.samples for function in stack), f"{name}: system names")


def check_top(name, oracle, reader, path):
    types = TYPES.get(oracle.clock, ["calls/count", "ticks/count"])
    wanted = wanted_values(oracle, types)
    for index, type_name in enumerate(types):
        if name == "extremes" and index == 0:
            continue
        check(reader.top(path, type_name) == wanted_top(wanted, index),
              f"{name}: pprof -top of {type_name} differs from the oracle's")


def export(exporter, format_name, path):
    return subprocess.run([exporter, format_name, path], check=True, stdout=subprocess.PIPE).stdout


def check_profile(name, arguments, reader, folder):
    source, path = folder / "test.wperf", folder / "test.pb.gz"
    path.write_bytes(export(arguments.export, "pprof", source))
    summary = profiles.summary_of(export(arguments.export, "top", source).decode())
    oracle = Oracle(source.read_bytes())
    check_decoded(name, oracle, reader.decode(path), summary)
    if arguments.go:
        check_top(name, oracle, reader, path)


def check_full_device(exporter, path):
    if pathlib.Path("/dev/full").exists():
        with open("/dev/full", "wb") as full:
            result = subprocess.run([exporter, "pprof", path], stdout=full, stderr=subprocess.PIPE)
        check(result.returncode == 1, "a full device went unnoticed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--export", required=True, help="the report-export program")
    parser.add_argument("--go", help="the go command")
    parser.add_argument("--node", help="the node command, with --package")
    parser.add_argument("--package", help="the folder of the npm package pprof-format")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        reader = (GoReader(arguments.go, folder) if arguments.go
                  else FormatReader(arguments.node, arguments.package))
        for make in profiles.GOLDEN + profiles.LARGE:
            (folder / "test.wperf").write_bytes(make().encode())
            check_profile(make.__name__, arguments, reader, folder)
        for make in (profiles.empty, profiles.wide):  # one fails at the end, one on the way
            (folder / "test.wperf").write_bytes(make().encode())
            check_full_device(arguments.export, folder / "test.wperf")
    finish()


if __name__ == "__main__":
    main()
