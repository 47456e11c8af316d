#!/usr/bin/env python3
"""Which tests of a build folder ran whole: passed, and skipped nothing because a program was missing.

    ran.py save FOLDER    after CTest: keeps those that ran whole, with their commands, in FOLDER/ran.json
    ran.py left FOLDER    prints a pattern for `ctest -R` of the other ones, or nothing: those that did not run whole,
                          that are new, or whose command is another one by now, since a program was installed
"""
import json
import os
import re
import subprocess
import sys

KEPT = "ran.json"
CACHE = re.compile(r".*/wasm-instrument/(?=npm/|python/)")  # of whoever ran them
SKIPPED = re.compile(r"^(. skipped [1-9]|\[  SKIPPED \]|SKIPPED )", re.M)


def commands(folder):
    text = subprocess.run(["ctest", "--test-dir", folder, "--show-only=json-v1"],
                          capture_output=True, text=True, check=True).stdout
    return {test["name"]: [CACHE.sub("", word) for word in test.get("command", [])]
            for test in json.loads(text)["tests"]}


def ran_whole(folder):
    with open(os.path.join(folder, "Testing/Temporary/LastTest.log"), encoding="utf-8", errors="replace") as file:
        log = file.read()
    parts = re.split(r"^\d+/\d+ Testing: (\S+)$", log, flags=re.M)
    return {name for name, output in zip(parts[1::2], parts[2::2])
            if "\nTest Passed.\n" in output and not SKIPPED.search(output)}


def save(folder):
    names = ran_whole(folder)  # first: to list the tests overwrites CTest's log
    now = commands(folder)
    with open(os.path.join(folder, KEPT), "w", encoding="utf-8") as file:
        json.dump({name: now[name] for name in names}, file)


def print_left(folder):
    before = {}
    if os.path.exists(os.path.join(folder, KEPT)):
        with open(os.path.join(folder, KEPT), encoding="utf-8") as file:
            before = json.load(file)
    names = [re.escape(name) for name, command in commands(folder).items() if before.get(name) != command]
    if names:
        print(f"^({'|'.join(names)})$")


action, where = sys.argv[1:]
{"save": save, "left": print_left}[action](where)
