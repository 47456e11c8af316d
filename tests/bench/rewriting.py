#!/usr/bin/env python3
"""How long rewriting takes, beside other tools that read and write whole modules, in turn: CPU time
and peak memory of the processes, as medians and as ratios. Prints Markdown."""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ["WI_BUILD"])
NPM = pathlib.Path(os.environ["WI_NPM"]) / "node_modules"
MODULES = ["@ruby/3.4-wasm-wasi/dist/ruby.wasm", "esbuild-wasm/esbuild.wasm",
           "@ffmpeg/core/dist/umd/ffmpeg-core.wasm",
           "@ruby/3.4-wasm-wasi/dist/ruby.debug+stdlib.wasm"]  # half of it DWARF
ROUNDS = 5


def measure(command):
    """CPU seconds and peak bytes of one run."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{command[0]} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def compare(module, commands):
    """{name: (median CPU seconds, peak bytes)} of the commands, run in turn."""
    samples = {name: [] for name in commands}
    for round_number in range(ROUNDS + 1):
        for name, command in commands.items():
            sample = measure(command)
            if round_number > 0:  # the first is a warm-up
                samples[name].append(sample)
    return {name: (statistics.median(s for s, _ in rows), max(p for _, p in rows))
            for name, rows in samples.items()}


def main():
    print("| module | tool | CPU ms | MB/s | ratio to wasm-strip | peak memory / input |")
    print("|---|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out.wasm"
        for name in MODULES:
            module = NPM / name
            size = module.stat().st_size
            tool = str(BUILD / "wasm-instrument")
            commands = {
                "wasm-instrument": [tool, "-q", module, "-o", out],
                "wasm-instrument --clock instructions":
                    [tool, "-q", "--clock", "instructions", module, "-o", out],
                "wasm-strip": ["wasm-strip", module, "-o", out],
            }
            results = compare(module, commands)
            if size < 15e6:  # takes minutes for the larger ones
                seconds, peak = measure([os.environ.get("NODE", "node"), NPM / "binaryen/bin/wasm-opt", "--log-execution",
                                         "--all-features", module, "-o", out])
                results["wasm-opt --log-execution (once)"] = seconds, peak
            base = results["wasm-strip"][0]
            for tool_name, (seconds, peak) in results.items():
                print(f"| {name} | {tool_name} | {1e3 * seconds:.0f} | {size / 1e6 / seconds:.0f} "
                      f"| {seconds / base:.2f} | {peak / size:.2f} |", flush=True)


main()
