#!/usr/bin/env python3
"""Writes the profiles whose reports golden.test.mjs compares: golden_profiles.py FOLDER"""

import pathlib
import sys

import pairs
import profiles

# What a person reads of a difference, as a whole.
DIFFERENCES = {
    "instructions": (profiles.instructions(), pairs.renamed()),
    "wall": (profiles.program(), pairs.altered(profiles.program, 4)),
    "no_clock": (profiles.no_clock(), pairs.altered(profiles.no_clock)),
    "limits": (profiles.limits(), pairs.with_header(profiles.program, recursion=1)),
}


def main():
    folder = pathlib.Path(sys.argv[1])
    for kind in ("reports", "before", "after"):
        (folder / kind).mkdir()
    for make in profiles.GOLDEN + profiles.TEXT_ONLY:
        (folder / "reports" / f"{make.__name__}.wperf").write_bytes(make().encode())
    for name, (before, after) in DIFFERENCES.items():
        (folder / "before" / f"{name}.wperf").write_bytes(before.encode())
        (folder / "after" / f"{name}.wperf").write_bytes(after.encode())


if __name__ == "__main__":
    main()
