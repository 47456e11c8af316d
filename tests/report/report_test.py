#!/usr/bin/env python3
"""Checks the report formats against an oracle that reads the same bytes.

    report_test.py --export BUILD/report-export
"""

import argparse
import pathlib
import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

import profiles
from checks import check, finish
from oracle import LARGEST, Oracle
from page_data import preorder

FORMATS = ("folded", "top", "tree", "flamegraph")
SVG = "{http://www.w3.org/2000/svg}"
MAX_SVG_SIZE = 4_000_000
MAX_FRAMES = 10_000
LEVEL_HEIGHT = 17
PICTURE_WIDTH, LETTER_WIDTH = 1200, 6.5  # pixels
MAX_HTML_SIZE = 8_000_000  # of a million stacks


def export(exporter, format_name, path):
    return subprocess.run([exporter, format_name, path], check=True, stdout=subprocess.PIPE).stdout


def check_folded(name, oracle, output):
    expected = oracle.folded()
    lines = output.decode().split("\n")
    check(lines.pop() == "", f"{name}: the last line has no end")
    check(lines == expected, f"{name}: folded stacks differ from the oracle's")


def check_top(name, oracle, output, places):
    functions = oracle.functions()
    whole = min(sum(self_weight for self_weight, _, _ in functions.values()), LARGEST)
    order = sorted(functions, key=lambda name: (-functions[name][0], name.encode()))
    lines = output.decode().split("\n")
    headings = [i for i, line in enumerate(lines) if line.endswith("function")]
    rows = lines[headings[0] + 1:headings[0] + 21] if headings else []
    rows = rows[:rows.index("")] if "" in rows else rows
    check(len(rows) == min(20, len(functions)), f"{name}: top has {len(rows)} rows")
    has_times = oracle.clock != profiles.CLOCK_NONE
    summed = 0
    for row, function in zip(rows, order):
        self_weight, total, calls = functions[function]
        cells = re.split(r"\s{2,}", row.strip())
        shares = [100 * self_weight / whole if whole else 0, 100 * total / whole if whole else 0]
        # A cell cannot tell the space that a name begins with from its padding.
        check(row.endswith("  " + function + places.get(function, "")),
              f"{name}: top row of {function!r}: {row!r}")
        check(abs(float(cells[0]) - shares[0]) <= 0.0051, f"{name}: self share of {function!r}")
        check(cells[5 if has_times else 2] == f"{calls:,}", f"{name}: calls of {function!r}")
        summed += self_weight
        cumulative = 100 * min(summed, LARGEST) / whole if whole else 0
        check(abs(float(cells[2 if has_times else 1]) - min(cumulative, 100)) <= 0.0051,
              f"{name}: cumulative share of {function!r}")
        if has_times:
            check(abs(float(cells[3]) - shares[1]) <= 0.0051, f"{name}: total of {function!r}")


def wanted_frames(oracle):
    """The stacks that must be drawn, with their edges as fractions of the whole."""
    frames = oracle.frames()
    whole = frames[()][1]
    ends = {}
    for stack in sorted(frames, key=lambda stack: [name.encode() for name in stack]):
        parent = stack[:-1]
        start = ends[parent] if stack else 0
        ends[stack] = start  # where its first child begins
        if stack:
            ends[parent] += frames[stack][1]
        frames[stack].append(start)
    drawn = [stack for stack in frames if not stack or whole and frames[stack][1] * 1000 >= whole]
    return frames, drawn, whole


def read_frames(picture):
    """Yields (stack, start, end, title) of each frame, the edges as fractions."""
    elements = picture.find(f"{SVG}svg[@id='frames']").findall(f"{SVG}svg")
    base = int(elements[0].get("y"))
    below = {}
    for element in elements:
        level = (int(element.get("y")) - base) // LEVEL_HEIGHT
        start = round(float(element.get("x").rstrip("%")) * 1e5)
        end = start + round(float(element.get("width").rstrip("%")) * 1e5)
        title = element.find(f"{SVG}title").text
        name = title[:title.rindex(" — ")]
        stack = ()
        if level > 0:
            parent = [s for s, left, right in below[level - 1] if left <= start and end <= right]
            check(len(parent) == 1, f"frame {name!r} on level {level} has no place to stand")
            stack = parent[0] + (name,)
        below.setdefault(level, []).append((stack, start, end))
        yield stack, start / 1e7, end / 1e7, title


def check_label(name, element):
    """The text in a frame is its name, or has a mark where something of it is missing."""
    text = element.find(f"{SVG}text")
    if text is None:
        return
    title = element.find(f"{SVG}title").text
    whole = title[:title.rindex(" — ")]
    width = float(element.get("width").rstrip("%")) * PICTURE_WIDTH / 100
    check(text.text and (text.text == whole or "…" in text.text), f"{name}: {text.text!r} for {whole!r}")
    check(text.text == whole or len(text.text) * LETTER_WIDTH <= width,
          f"{name}: {text.text!r} in {width} pixels")


def check_flamegraph(name, oracle, output):
    picture = ElementTree.fromstring(output)
    check(len(output) < MAX_SVG_SIZE, f"{name}: the picture has {len(output)} bytes")
    check(b"style=" not in output and not re.search(rb"<[^>]* on[a-z]+=", output),
          f"{name}: the picture has inline handlers or styles")
    frames, wanted, whole = wanted_frames(oracle)
    drawn = {stack: (start, end, title) for stack, start, end, title in read_frames(picture)}
    if len(wanted) <= MAX_FRAMES:
        check(set(drawn) == set(wanted), f"{name}: other frames drawn than wanted")
    else:
        check(len(drawn) == MAX_FRAMES, f"{name}: {len(drawn)} frames")
        check(set(drawn) <= set(wanted), f"{name}: frames drawn that are none")
        narrowest = min(frames[stack][1] for stack in drawn)
        check(all(frames[stack][1] <= narrowest for stack in set(wanted) - set(drawn)),
              f"{name}: a wider frame was left out than one that is drawn")
    for stack, (start, end, title) in drawn.items():
        if not stack or stack not in frames:
            continue
        self_weight, total, calls, left = frames[stack]
        check(abs(start - left / whole) < 2e-7 and abs(end - (left + total) / whole) < 2e-7,
              f"{name}: {title!r} stands at {start}–{end}")
        share = float(re.search(r"\(([0-9.]+) %\)", title[len(stack[-1]):]).group(1))
        check(abs(share - 100 * total / whole) <= 0.051, f"{name}: share in {title!r}")
        if oracle.clock != profiles.CLOCK_NONE:
            quantity = f"{calls:,} call{'s' if calls != 1 else ''}"
            check(title.endswith(", " + quantity), f"{name}: {title!r}")
    elided_count = sum(stack[-2:-1] == ("[...]",) for stack, _, _ in oracle.stacks())
    note = f"Deeper than 250 frames: {elided_count:,} stacks;"
    check((note.encode() in output) == (elided_count > 0), f"{name}: {elided_count} elided stacks")
    for element in picture.find(f"{SVG}svg[@id='frames']").findall(f"{SVG}svg"):
        check_label(name, element)


def check_oracle(make, outputs, path):
    oracle = Oracle(path.read_bytes())
    places = {}
    if make is profiles.places:
        places = {oracle.label(i): text for i, text in enumerate(profiles.PLACE_TEXTS) if text}
    check_folded(make.__name__, oracle, outputs["folded"])
    check_top(make.__name__, oracle, outputs["top"], places)
    if make is not profiles.extremes:  # sums beyond the range of the format: golden files only
        check_flamegraph(make.__name__, oracle, outputs["flamegraph"])


def check_huge(name, profile, outputs):
    """A million stacks: nothing is lost, and a picture stays one that a browser can show."""
    values = [int(line.rsplit(b" ", 1)[1]) for line in outputs["folded"].splitlines()]
    whole = sum(node[3] for node in profile.nodes[1:]) * 10**9 / profile.ticks_per_second
    check(whole - len(profile.nodes) <= sum(values) <= whole, f"{name}: values sum up to {sum(values)}")
    picture = outputs["flamegraph"]
    check(len(picture) < MAX_SVG_SIZE, f"{name}: the picture has {len(picture)} bytes")
    frames = list(read_frames(ElementTree.fromstring(picture)))
    check(100 < len(frames) <= MAX_FRAMES, f"{name}: {len(frames)} frames")
    check(len(outputs["html"]) <= MAX_HTML_SIZE, f"{name}: the page has {len(outputs['html'])} bytes")
    check(outputs["top"].count(b"\n") < 30, f"{name}: top is too long")
    check(outputs["tree"].count(b"\n") < 60, f"{name}: tree is too long")


def check_order(exporter, path):
    """A page has siblings in the order of their first calls, not of their names or of the profile's nodes."""
    profile = profiles.Profile().name("main", "zip", "add", "mix")
    main = profile.add(0, 0, 1, 5)
    last = profile.add(main, 1, 1, 5)
    for function in (2, 3, 1):
        profile.add(main, function, 1, 5)
    for function in (3, 2):
        profile.add(last, function, 1, 5)
    path.write_bytes(profile.encode())
    found = preorder(export(exporter, "html", path).decode())
    wanted = [(None, "main"), ("main", "zip"), ("zip", "mix"), ("zip", "add"), ("main", "add"), ("main", "mix")]
    check(found == wanted, f"the page has its nodes in the order {found}")


def check_full_device(exporter, path):
    """A report that cannot be written must not look like a success."""
    if pathlib.Path("/dev/full").exists():
        for format_name in FORMATS:
            with open("/dev/full", "wb") as full:
                result = subprocess.run([exporter, format_name, path], stdout=full,
                                        stderr=subprocess.PIPE)
            check(result.returncode == 1, f"{format_name}: a full device went unnoticed")


def check_versions(exporter, name, profile, path):
    """A file of version 1 says the same, but for what it has no room for."""
    profile.places.clear()
    path = path.with_suffix(".new.wperf")
    path.write_bytes(profile.encode())
    old = path.with_suffix(".old.wperf")
    old.write_bytes(profile.encode(version=1))
    wanted = export(exporter, "top", path)
    if name == "sampled":  # while there was version 1, engines were told to inline nothing
        sentence = b"If the engine inlined a function, its time is charged to its caller\n"
        check(sentence in wanted, f"{name}: nothing about inlining")
        wanted = wanted.replace(sentence, b"")
    check(export(exporter, "top", old) == wanted, f"{name}: versions differ")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--export", required=True, help="the report-export program")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "test.wperf"
        for make in profiles.GOLDEN + profiles.LARGE + profiles.HUGE:
            profile = make()
            path.write_bytes(profile.encode())
            if make in profiles.GOLDEN:
                check_versions(arguments.export, make.__name__, profile, path)
            wanted = FORMATS + (("html",) if make in profiles.HUGE else ())
            outputs = {name: export(arguments.export, name, path) for name in wanted}
            if make in profiles.HUGE:
                check_huge(make.__name__, profile, outputs)
            else:
                check_oracle(make, outputs, path)
        check_full_device(arguments.export, path)
        check_order(arguments.export, path)
    finish()


if __name__ == "__main__":
    main()
