#!/usr/bin/env python3
"""Prints what nobody uses; exit code 1 if there is anything.

In C, functions that are only declared and defined, and fields that are named once. In JavaScript, names that a
file imports or defines and does not use, and exports that only their own file uses.
"""

import collections
import os
import re
import sys

ROOMS = ["examples", "include", "src", "tests"]
SOURCES = {".c", ".h", ".cc", ".def"}
USERS = {".mjs", ".cjs", ".js", ".ts", ".html", ".py", ".sh", ".in"}
WORD = re.compile(r"[A-Za-z_]\w*")
C_COMMENT = re.compile(r"/\*.*?\*/", re.S)
PROTOTYPE = re.compile(r"^(?!typedef|WASI)[a-z][\w \*]*[ \*](\w+)\([^;{}]*\)[^;{}()]*(?:__attribute__\s*\(\(.*?\)\))?\s*;", re.M)
DEFINITION = re.compile(r"^[a-z][\w \*]*[ \*](\w+)\([^;{}]*\) \{$", re.M)
FIELD = re.compile(r"^  (?!return)[a-z][\w \*]*[ \*]([a-z]\w*)(?:\[\w*\])?;", re.M)
TOP_LEVEL = re.compile(r"^(?:async )?(?:function\*?|const|let|class) (\w+)", re.M)
EXPORT = re.compile(r"^export (?:async )?(?:function\*?|const|let|class) (\w+)", re.M)
IMPORT = re.compile(r"^import \{([^}]*)\}|^import (\w+) from|^import \* as (\w+)", re.M)


def read_texts():
    texts = {}
    for room in ROOMS:
        for folder, inner, names in os.walk(room):
            inner[:] = [name for name in inner if name not in ("__pycache__", "node_modules")]
            for name in names:
                ending = os.path.splitext(name)[1]
                if ending in SOURCES or ending in USERS:
                    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                        text = file.read()
                    texts[os.path.join(folder, name)] = C_COMMENT.sub("", text) if ending in SOURCES else text
    return texts


def imports(text):
    for names, *whole in IMPORT.findall(text):
        yield from (name.split(" as ")[-1].strip() for name in names.split(","))
        yield from whole


def unused(path, text, words, own, declared):
    """(what, name) of a file; `words`: how often all files name it, `own`: this one, `declared`: only as a function."""
    if path.endswith((".c", ".h")) and not path.startswith("tests/"):
        yield from (("function", name) for name in PROTOTYPE.findall(text) if words[name] == declared[name])
        yield from (("field", name) for name in FIELD.findall(text) if words[name] < 2)
    elif path.endswith(".mjs"):
        yield from (("import", name) for name in imports(text) if name and own[name] < 2)
        yield from (("definition", name) for name in TOP_LEVEL.findall(text) if own[name] < 2)
        if not path.startswith("tests/"):
            yield from (("export", name) for name in EXPORT.findall(text) if words[name] == own[name])


def main():
    texts = read_texts()
    counts = {path: collections.Counter(WORD.findall(text)) for path, text in texts.items()}
    words = sum(counts.values(), collections.Counter())
    declared = collections.Counter(name for path, text in texts.items() if path.endswith((".c", ".h"))
                                   for kind in (PROTOTYPE, DEFINITION) for name in kind.findall(text))
    found = [(path, *what) for path, text in sorted(texts.items()) for what in unused(path, text, words, counts[path], declared)]
    for path, what, name in found:
        print(f"{path}: nobody uses the {what} {name}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
