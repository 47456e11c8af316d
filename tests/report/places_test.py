#!/usr/bin/env python3
"""Checks that each format which has room for it tells where functions stand in the source.

    places_test.py --export BUILD/report-export --annotate callgrind_annotate --go GO

callgrind_annotate and go tool pprof say what they read; the others are JSON, whose schemas and
programs the readers hold them to (readers_test.py).
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import tempfile
import urllib.parse

import profiles
from checks import check, finish
from page_data import unpack

NAMES = ["_start", "json::parse(char const*)", "malloc", "app::print", "func[4]"]
WANTED = {name: (place[0], place[1] or None) if place else None
          for name, place in zip(NAMES, profiles.PLACE_OF_FUNCTION)}


def place(file, line):
    return (file, line) if file else None


def read_json(data):
    return {row["name"]: place(row.get("file"), row.get("line")) for row in json.loads(data)["functions"]}


def read_speedscope(data):
    frames = json.loads(data)["shared"]["frames"]
    return {frame["name"]: place(frame.get("file"), frame.get("line")) for frame in frames}


def read_cpuprofile(data):
    found = {}
    for frame in [node["callFrame"] for node in json.loads(data)["nodes"]][1:]:
        url = urllib.parse.urlparse(frame["url"])
        file = urllib.parse.unquote(url.path) if url.scheme == "file" else None
        found[frame["functionName"]] = place(file, frame["lineNumber"] + 1 or None)
    return found


def read_firefox(data):
    shared = json.loads(data)["shared"]
    strings, functions, sources = shared["stringArray"], shared["funcTable"], shared["sources"]
    return {strings[name]: None if source is None else (strings[sources["filename"][source]], line)
            for name, source, line in zip(functions["name"], functions["source"], functions["lineNumber"])}


def read_html(data):
    head, _, _ = unpack(data.decode())
    found = dict.fromkeys(head["names"])
    for name, file, line in head["places"]:
        found[head["names"][name]] = (file, line or None)
    return found


READERS = {"json": read_json, "speedscope": read_speedscope, "cpuprofile": read_cpuprofile,
           "firefox": read_firefox, "html": read_html}


def check_callgrind(command, path):
    """It names the file beside each function, and the lines of a file that it can read."""
    source = path.with_name("json.cc")
    source.write_text("\n" * 41 + "void parse() {}\n")
    text = path.read_text().replace("/src/json.cc", str(source))
    path.write_text(text)
    shown = subprocess.run([command, "--threshold=100", "--inclusive=no", path], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    for name, wanted in WANTED.items():
        file = str(source) if name == NAMES[1] else wanted[0] if wanted else "???"
        check(f" {file}:{name} [module.wasm]\n" in shown, f"callgrind: {name} of {file} in {shown}")
    check(re.search(r"^420,000 .*  void parse\(\) \{\}$", shown, re.MULTILINE), f"callgrind: line 42: {shown}")


def check_pprof(go, path):
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOPROXY": "off", "GOFLAGS": ""}
    raw = subprocess.run([go, "tool", "pprof", "-raw", path], check=True, stdout=subprocess.PIPE,
                         cwd=path.parent, env=environment, text=True).stdout
    for name, wanted in WANTED.items():
        file, line = wanted if wanted else ("module.wasm", None)
        pattern = rf" {re.escape(name)} {re.escape(file)}:{line or 0}(:0)? s={line or 0}[(\n]"
        check(re.search(pattern, raw), f"pprof: {pattern} in {raw}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--export", required=True, help="the report-export program")
    parser.add_argument("--annotate", help="the callgrind_annotate command")
    parser.add_argument("--go", help="the go command")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "places.wperf"
        path.write_bytes(profiles.places().encode())

        def export(name):
            output = path.with_name(f"places.{name}")
            output.write_bytes(subprocess.run([arguments.export, name, path], check=True,
                                              stdout=subprocess.PIPE).stdout)
            return output

        for name, read in READERS.items():
            found = read(export(name).read_bytes())
            check(found == WANTED, f"{name}: {found}")
        if arguments.annotate:
            check_callgrind(arguments.annotate, export("callgrind"))
        if arguments.go:
            check_pprof(arguments.go, export("pprof"))
    finish()


if __name__ == "__main__":
    main()
