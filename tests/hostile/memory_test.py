#!/usr/bin/env python3
"""Inputs of hostile size: each ends in a module or in a clear refusal, in memory bounded by a small
multiple of its size. Usage: memory_test.py WASM-INSTRUMENT"""

import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

HANGS_AFTER_SECONDS = 120  # nothing here takes more than a few; this only ends a hang
BASE_MEMORY = 64 << 20     # what the process may need whatever the input


def leb(n):
    out = bytearray()
    while True:
        out.append(n & 127 | (128 if n > 127 else 0))
        n >>= 7
        if not n:
            return bytes(out)


def section(number, contents):
    return bytes([number]) + leb(len(contents)) + contents


def vector(items):
    return leb(len(items)) + b"".join(items)


def sized(contents):
    return leb(len(contents)) + contents


HEADER = b"\0asm\1\0\0\0"
COMPONENT = b"\0asm\x0d\0\1\0"
TYPES = section(1, vector([b"\x60\0\0"]))


def module(bodies, extra=b"", before_code=b""):
    """Functions of type [] -> [] with these bodies, locals included."""
    return (HEADER + TYPES + section(3, leb(len(bodies)) + b"\0" * len(bodies)) + before_code
            + section(10, vector([sized(body) for body in bodies])) + extra)


def code(instructions):
    return b"\0" + instructions + b"\x0b"


def name_section(entries):
    functions = leb(len(entries)) + b"".join(leb(i) + sized(name) for i, name in entries)
    return section(0, sized(b"name") + b"\1" + sized(functions))


HUGE = leb(2**32 - 1)

def write(path, pieces):
    """Bytes, and numbers of zeros, which take no disk."""
    with open(path, "wb") as stream:
        for piece in pieces:
            if isinstance(piece, bytes):
                stream.write(piece)
            else:
                stream.seek(piece, os.SEEK_CUR)
        stream.truncate()


# name: (bytes or pieces, what must come of it, multiple of the input's size that memory may reach)
CASES = {
    **{f"count of section {number} near 2**32": (lambda number=number: HEADER + section(number, HUGE),
                                                 "refused", 4)
       for number in (1, 2, 3, 4, 5, 6, 7, 9, 10, 11)},
    "section size near 2**32": (lambda: HEADER + b"\1" + HUGE, "refused", 4),
    "body size near 2**32": (lambda: HEADER + TYPES + section(3, b"\1\0") + section(10, b"\1" + HUGE),
                             "refused", 4),
    "locals near 2**32": (lambda: module([b"\1" + HUGE + b"\x7f\x0b"]), "refused", 4),
    "many groups of locals": (lambda: module([leb(100000) + b"\1\x7f" * 100000 + b"\x0b"]), "refused", 4),
    "br_table count near 2**32": (lambda: module([code(b"\x0e" + HUGE)]), "refused", 4),
    "br_table of 50,000 targets": (
        lambda: module([code(b"\x41\0\x0e" + leb(50000) + b"\0" * 50001)]), "done", 6),
    "200,000 nested blocks": (lambda: module([code(b"\2\x40" * 200000 + b"\x0b" * 200000)]), "done", 30),
    "200,000 nested loops, each a landing pad": (
        lambda: module([code(b"\3\x40" * 200000
                             + b"\x1f\x40" + leb(200000) + b"".join(b"\2" + leb(i) for i in range(200000))
                             + b"\x0b" + b"\x0b" * 200000)]), "done", 30),
    "a body of calls only": (lambda: module([code(b"\x10\0" * 3_000_000)]), "done", 40),
    "a body of returns only": (lambda: module([code(b"\x0f" * 3_000_000)]), "done", 60),
    "a body that hooks push over the limit": (
        lambda: module([code(b"\x01" * 7_654_310 + b"\x0f" * 8)]), "done", 6),
    "a name of 10 MB": (lambda: module([code(b"")], name_section([(0, b"n" * 10_000_000)])), "done", 6),
    "a mangled name of 10 MB": (
        lambda: module([code(b"")], name_section([(0, b"_Z" + b"1a" * 5_000_000)])), "done", 6),
    "a million functions": (lambda: module([code(b"\1")] * 1_000_000), "done", 14),
    "a million names": (
        lambda: module([code(b"")] * 1_000_000, name_section([(i, b"f%d" % i) for i in range(1_000_000)])),
        "done", 8),
    "a million exports": (
        lambda: module([code(b"")], before_code=section(
            7, leb(1_000_000) + b"".join(sized(b"%d" % i) + b"\0\0" for i in range(1_000_000)))),
        "done", 8),
    "ten million elements": (
        lambda: module([code(b"")], before_code=section(9, b"\1\1\0" + leb(10_000_000) + b"\0" * 10_000_000)),
        "done", 60),
    "eleven million elements": (
        lambda: module([code(b"")], before_code=section(9, b"\1\1\0" + leb(11_000_000) + b"\0" * 11_000_000)),
        "refused", 60),
    "a million types": (lambda: HEADER + section(1, leb(1_000_000) + b"\x60\0\0" * 1_000_000), "done", 16),
    "a million results types": (
        lambda: HEADER + section(1, leb(200_000) + b"".join(
            b"\x60\0" + vector([bytes([0x7C + (i >> s & 3)]) for s in range(0, 20, 2)])
            for i in range(200_000))), "done", 16),
    "a module of 200 MB": (lambda: module([code(b"\x41\0\x1a" * 2_000_000)] * 33), "done", 1.3),
    "several bodies of 2**28 instructions": (lambda: [
        HEADER + TYPES + section(3, b"\3\0\0\0") + b"\x0a" + leb(1 + 3 * (5 + 2**28)) + b"\3",
        *[leb(2**28), 2**28] * 3], "refused", 1.2),
    "a component of 100,000 modules": (
        lambda: COMPONENT + section(1, module([code(b"")])) * 100_000, "refused", 6),
    "200 MB of data": (
        lambda: module([code(b"")], section(11, b"\1\1" + sized(b"d" * 200_000_000))), "done", 2.5),
}


def run(command):
    child = subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    try:
        messages = child.stderr.read().decode(errors="replace")
        _, status, usage = os.wait4(child.pid, 0)
    except KeyboardInterrupt:
        child.kill()
        raise
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, messages, usage.ru_maxrss * 1024


FORMS = {"linked": [], "embedded": ["--embed"]}
# The runtime and the room that each function may need past the node limit.
EMBEDDED_FACTOR = 2


def check(tool, folder, name, form):
    """The problem with a case in that form, or None."""
    _, expected, multiple = CASES[name]
    path, output = folder / "in.wasm", folder / "out.wasm"
    # In a process of its own: the memory of this one would count as the peak of its children.
    subprocess.run([sys.executable, __file__, "--make", name, path], check=True)
    size = path.stat().st_size
    output.unlink(missing_ok=True)
    status, messages, peak = run(["timeout", str(HANGS_AFTER_SECONDS), tool, "-q", *FORMS[form],
                                  path, "-o", output])
    if form == "embedded":
        multiple *= EMBEDDED_FACTOR
    if status not in (0, 1):
        return f"exit {status}: {messages[:200]}"
    outcome = "done" if status == 0 else "refused"
    if outcome != expected:
        return f"{outcome}, not {expected}: {messages[:200]}"
    if output.exists() != (outcome == "done"):
        return "an output file that should not be there, or none that should"
    if outcome == "refused" and not messages.startswith("wasm-instrument: "):
        return f"no clear refusal: {messages[:200]}"
    if peak > BASE_MEMORY + multiple * size:
        return f"{peak >> 20} MB of memory for {size >> 20} MB"
    print(f"ok   {name}, {form}: {size / 1e6:.1f} MB, {outcome}, {peak >> 20} MB of memory", flush=True)
    return None


def main():
    if sys.argv[1:2] == ["--make"]:
        made = CASES[sys.argv[2]][0]()
        write(sys.argv[3], made if isinstance(made, list) else [made])
        return 0
    tool = pathlib.Path(sys.argv[1] if len(sys.argv) > 1
                        else pathlib.Path(os.environ["WI_BUILD"]) / "wasm-instrument")
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        for case, form in itertools.product(CASES, FORMS):
            problem = check(tool, pathlib.Path(name), case, form)
            if problem:
                failures += 1
                print(f"FAIL {case}, {form}: {problem}", flush=True)
    print(f"{len(CASES) * len(FORMS) - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
