#!/usr/bin/env python3
"""Real modules: every .wasm of the npm packages below is instrumented and shown to V8; and real
programs run as they are, instrumented, and with their calls counted by other means. Prints tables
and exits with 1 if anything is wrong.

    real.py [--modules | --programs | PROGRAM...]   these programs are of those in programs.mjs

Environment: WI_BUILD (build folder), WI_NPM (folder with node_modules), NODE (a current Node).
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

PACKAGES = ["sql.js", "esbuild-wasm", "@swc/wasm", "@ffmpeg/core", "pyodide",
            "@ruby/3.4-wasm-wasi", "web-tree-sitter", "tree-sitter-javascript", "@rollup/wasm-node"]

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("WI_BUILD", HERE.parent.parent / "build"))
NPM = pathlib.Path(os.environ["WI_NPM"])
NODE = os.environ.get("NODE", "node")


def measure(command):
    """Runs a command: (exit code, stderr, CPU seconds, peak bytes of memory)."""
    with tempfile.TemporaryFile() as messages:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=messages)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        messages.seek(0)
        text = messages.read().decode()
    return child.returncode, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def node(script, *arguments):
    """What a script beside this one prints, as an object; None where it fails."""
    run = subprocess.run([NODE, "--no-warnings", HERE / script, *map(str, arguments)],
                         capture_output=True, text=True, env={**os.environ, "WI_BUILD": str(BUILD)})
    if run.returncode != 0:
        print(run.stdout + run.stderr, file=sys.stderr)
        return None
    return json.loads(run.stdout)


def instrument(module, output):
    """The row of a module, or the problem as text."""
    code, messages, seconds, peak = measure(
        [BUILD / "wasm-instrument", "-v", "--clock", "none", module, "-o", output])
    if code != 0:
        return None, messages
    size = module.stat().st_size
    verdict = node("validate.mjs", output)
    words = messages.strip().splitlines()[-1].split()
    counts = words[words.index("of") - 1], words[words.index("of") + 1]
    row = {"size": size, "functions": counts[1], "hooked": counts[0],
           "growth": output.stat().st_size / size - 1, "seconds": seconds, "peak": peak / size,
           "reader": messages.split("read by ")[1].split(",")[0],
           "accepted": bool(verdict and verdict["accepted"])}
    return row, None


def check_modules(folder):
    print(f"{'module':58} {'MB':>6} {'functions':>9} {'hooked':>7} {'size':>7} "
          f"{'CPU ms':>7} {'MB/s':>5} {'peak/in':>7}  reader  V8")
    failures = 0
    for package in PACKAGES:
        root = NPM / "node_modules" / package
        modules = sorted(root.rglob("*.wasm"))
        if not modules:
            print(f"{package}: no module found")
            failures += 1
        for module in modules:
            name = str(module.relative_to(NPM / "node_modules"))
            row, problem = instrument(module, folder / "out.wasm")
            if problem:
                print(f"{name}: {problem}")
                failures += 1
                continue
            # Below that, the process itself is most of what it takes.
            large = row["size"] > 8e6
            peak = f"{row['peak']:7.2f}" if large else f"{'-':>7}"
            speed = f"{row['size'] / 1e6 / row['seconds']:5.0f}" if large else f"{'-':>5}"
            print(f"{name:58} {row['size'] / 1e6:6.2f} {row['functions']:>9} {row['hooked']:>7} "
                  f"{100 * row['growth']:+6.1f}% {1e3 * row['seconds']:7.1f} "
                  f"{speed} {peak}  "
                  f"{row['reader']:6}  {'accepted' if row['accepted'] else 'REJECTED'}", flush=True)
            failures += not row["accepted"]
    return failures


def check_identity():
    """Both readers against each other, and the rewrite without edits against its input."""
    modules = [m for package in PACKAGES for m in (NPM / "node_modules" / package).rglob("*.wasm")]
    run = subprocess.run([BUILD / "check-module", *modules], capture_output=True, text=True)
    print("\n" + run.stdout.strip())
    identical = f"{len(modules)} modules: {len(modules)} identical, {len(modules)} read by both"
    return 0 if run.returncode == 0 and run.stdout.startswith(identical) else 1


def program_row(program, result):
    def column(name, width):
        value = result.get(name)
        return f"{'-' if value is None else value:>{width}}"

    # What was compared is told apart from what could not be.
    output = "DIFFERENT" if any("output" in text for text in result["problems"]) else "same"
    return (f"{program:18} {output:>9} {column('entered', 7)} {column('entries', 7)} "
            f"{column('calls', 10)} {column('counted', 11)} {column('nodes', 8)} {column('functions', 9)} "
            f"{column('open', 4)} {column('unbalanced', 10)} {column('folded', 6)} "
            f"{column('instructions', 12)}  {result.get('where', '-')}")


def check_programs(folder, programs):
    print(f"\n{'program':18} {'output':>9} {'entered':>7} {'entries':>7} {'calls':>10} {'equal':>11} "
          f"{'nodes':>8} {'functions':>9} {'open':>4} {'unbalanced':>10} {'folded':>6} "
          f"{'instructions':>12}  in")
    failures = skipped = 0
    for program in programs:
        result = node("program.mjs", program, folder)
        if result is None:
            print(f"{program:18} FAILED")
            failures += 1
        elif "skipped" in result:
            print(f"{program:18} skipped: {result['skipped']}")
            skipped += 1
        else:
            print(program_row(program, result), flush=True)
            failures += bool(result["problems"])
            for problem in result["problems"]:
                print(f"  {problem}")
    print(f"{len(programs)} programs, {skipped} skipped")
    return failures


def main():
    chosen = sys.argv[1:]
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if chosen in ([], ["--modules"]):
            failures += check_modules(folder) + check_identity()
        if chosen in ([], ["--programs"]):
            chosen = node("program.mjs")
        if chosen != ["--modules"]:
            failures += check_programs(folder, chosen)
    print(f"\n{failures} problems")
    return 1 if failures else 0


sys.exit(main())
