#!/usr/bin/env python3
"""Finds removed commands and options (src/cli/common/removed.def) in texts, sources, scripts and tests."""

import os
import re
import sys

ROOMS = [".ci", "examples", "include", "scripts", "src", "tests"]
LIST = "src/cli/common/removed.def"


def pattern_of(spelling):
    word = re.escape(spelling)
    return rf"(?<![\w-]){word}(?![\w-])" if spelling.startswith("--") else rf"\bwasm-perf {word}(?![\w-])"


def files():
    """The sources, also of an archive without a repository."""
    yield from ("CMakeLists.txt", "README.md")
    for room in ROOMS:
        for folder, inner, names in os.walk(room):
            inner[:] = [name for name in inner if name not in ("__pycache__", "node_modules")]
            yield from (os.path.join(folder, name) for name in names)


def main():
    spellings = re.findall(r'^CLI_REMOVED\("([^"]+)"', open(LIST).read(), re.M)
    removed = re.compile("|".join(map(pattern_of, spellings)))
    found = 0
    for path in files():
        try:
            lines = open(path, encoding="utf-8").read().splitlines()
        except (UnicodeDecodeError, OSError):
            continue
        for number, line in enumerate(lines, 1):
            match = removed.search(line) if path != LIST else None
            if match:
                print(f"{path}:{number}: '{match[0]}' was removed")
                found += 1
    return 1 if found or not spellings else 0


if __name__ == "__main__":
    sys.exit(main())
