#!/usr/bin/env python3
"""What the sources are built like, in numbers that can be compared.

    scripts/structure.py             prints all tables
    scripts/structure.py --check     prints what is against the rules; exit code 1 if anything is
    scripts/structure.py --list X    only one table: circles, prototypes, rooms, functions, files,
                                     touched

The rules: no two files need each other; a function that another file calls is declared in the
header named after its source, or in a public header; a room includes only rooms below it; functions
and files outside tables stay within LONGEST_FUNCTION and LONGEST_FILE lines.

Sources are read as text in the form that clang-format gives them: a definition begins in the first
column and ends with a brace there.
"""
import argparse
import os
import re
import statistics
import sys

LONGEST_FUNCTION = 60
LONGEST_FILE = 520

# Each room and those below it that it may include.
ROOMS = {
    "support": [],
    "module": ["support"],
    "code": ["support", "module"],
    "rewrite": ["support", "module", "code", "debug", "runtime"],  # the embedded form's contract
    "component": ["support", "module", "rewrite"],
    "runtime": ["support"],
    "profile": ["support", "runtime"],
    "report": ["support", "profile"],
    "debug": ["support", "module"],
    "cli": ["support", "module", "code", "rewrite", "component", "runtime", "profile", "report", "debug"],
}

# A value that one list holds, so that the files which name it are those that the next one touches.
EXAMPLES = [
    ("clock", "sampled", r"sampled|SAMPLED"),
    ("format", "speedscope", r"speedscope"),
    ("opcode", "br_on_cast", r"br_on_cast|BR_ON_CAST"),
]

# Sources that take the place of those with the same name, where libraries are missing.
REPLACEMENTS = "src/js/package/wasi/"

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
DEFINITION = re.compile(r"^(?!typedef|enum|struct|union|#|extern|\})[A-Za-z_][^;{}=#]*?"
                        r"\b([A-Za-z_]\w*)\s*\([^;{}]*\)[^;{}=]*\{", re.M)
NOT_NAMES = {"if", "for", "while", "switch", "return", "sizeof", "__attribute__"}


def plain(text):
    """The text without comments and strings, lines kept."""
    text = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
    return STRING.sub('""', text)


class Source:
    def __init__(self, root, path):
        self.path = path
        with open(os.path.join(root, path), encoding="utf-8") as file:
            self.raw = file.read()
        self.text = plain(self.raw)
        self.includes = re.findall(r'^#include "([^"]+)"', self.raw, re.M)
        self.functions = list(self.find_functions())  # (name, is static, lines)

    def find_functions(self):
        for match in DEFINITION.finditer(self.text):
            name = match.group(1)
            if name in NOT_NAMES:
                continue
            end = self.text.find("\n}", match.end() - 1)
            if self.text[match.end():].startswith("}"):
                end = match.end()
            if end < 0:
                continue
            lines = self.text.count("\n", match.start(), end) + 2
            yield name, "static" in match.group(0).split("(")[0].split(), lines

    def defines(self):
        return [name for name, is_static, _ in self.functions if not is_static]


def stem(path):
    return os.path.splitext(path)[0]


def read_tree(root):
    sources = {}
    for top in ("src", "include"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith((".c", ".h", ".cc")):
                    path = os.path.relpath(os.path.join(folder, name), root)
                    sources[path] = Source(root, path)
    return sources


def header_path(include):
    return "include/" + include if include.startswith(("wasm_perf/", "wasm_instrument/")) \
        else "src/" + include


# ---- Circles: files as nodes, a source and its header as one ------------------------------------
def needs(sources):
    """For each stem the stems whose headers it includes or whose functions it calls."""
    definers = {}
    for path, source in sources.items():
        if not path.endswith(".h") and not path.startswith(REPLACEMENTS):
            for name in source.defines():
                definers.setdefault(name, set()).add(stem(path))
    graph = {}
    for path, source in sources.items():
        if path.startswith("include/"):
            continue
        if path.startswith(REPLACEMENTS):
            continue
        edges = graph.setdefault(stem(path), set())
        edges.update(stem(header_path(i)) for i in source.includes if i.endswith(".h"))
        if path.endswith(".h"):
            continue
        statics = {name for name, is_static, _ in source.functions if is_static}
        for word in set(re.findall(r"(?<![\w.>])[a-z]+_\w+", source.text)) - statics:
            owners = definers.get(word, set())
            if len(owners) == 1:  # of several builds of one interface none is meant
                edges.update(owners)
    return {a: sorted(b for b in bs if b != a and b in graph) for a, bs in graph.items()}


def circles(sources):
    """Strongly connected parts of more than one file (Tarjan)."""
    graph, index, low, stack, found = needs(sources), {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            part = []
            while not part or part[-1] != node:
                part.append(stack.pop())
            if len(part) > 1:
                found.append(sorted(part))

    sys.setrecursionlimit(10000)
    for node in sorted(graph):
        if node not in index:
            visit(node)
    return sorted(found)


# ---- Prototypes -------------------------------------------------------------------------------
def prototypes(sources):
    """(function, source, header) of each function that a header declares."""
    declared = {}
    for path, source in sources.items():
        if path.endswith(".h"):
            for name in re.findall(r"\b([a-z_]\w*)\s*\((?!\*)[^;{}]*\)[^;{}()=]*(?:__attribute__\s*"
                                   r"\(\(.*?\)\))?\s*;", source.text):
                declared.setdefault(name, []).append(path)
    result = []
    for path, source in sorted(sources.items()):
        if path.endswith(".h"):
            continue
        for name in source.defines():
            headers = declared.get(name)
            if headers:
                own = [h for h in headers
                       if stem(h) == stem(path) or h.startswith("include/")
                       or (path.startswith(REPLACEMENTS)
                           and os.path.basename(stem(h)) == os.path.basename(stem(path)))]
                result.append((name, path, (own or headers)[0], bool(own)))
    return result


# ---- Rooms ------------------------------------------------------------------------------------
def room(path):
    parts = path.split("/")
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def room_breaches(sources):
    found = []
    for path, source in sorted(sources.items()):
        allowed = ROOMS.get(room(path))
        if allowed is None:
            continue
        for include in source.includes:
            other = room("src/" + include)
            if other in ROOMS and other != room(path) and other not in allowed:
                found.append((path, include))
    return found


# ---- Sizes ------------------------------------------------------------------------------------
def is_table(path):
    return path.endswith(".def")


def functions(sources):
    return sorted(((lines, name, path) for path, source in sources.items()
                   for name, _, lines in source.functions), reverse=True)


def files(sources):
    return sorted(((source.raw.count("\n"), path) for path, source in sources.items()),
                  reverse=True)


def touched(root, pattern):
    """Files of src and include, of all languages, that name it outside of comments of C."""
    found = []
    for top in ("src", "include"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), root)
                if path.startswith("src/docs/"):
                    continue
                with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
                    text = file.read()
                if name.endswith((".c", ".h", ".cc", ".mjs", ".def")):
                    text = COMMENT.sub("", text)
                if re.search(pattern, text):
                    found.append(path)
    return sorted(found)


# ---- Tables -----------------------------------------------------------------------------------
def show_circles(root, sources):
    print("Circles between files:")
    for part in circles(sources):
        print("  " + " <-> ".join(p[4:] for p in part))
    print(f"  {len(circles(sources))} circles")


def show_prototypes(root, sources):
    all_of_them = prototypes(sources)
    misplaced = [p for p in all_of_them if not p[3]]
    print("Prototypes outside the header named after their source:")
    for name, path, header, _ in misplaced:
        print(f"  {name}: {path}, declared in {header}")
    print(f"  {len(misplaced)} of {len(all_of_them)}")


def show_rooms(root, sources):
    print("Includes of rooms that are not below:")
    for path, include in room_breaches(sources):
        print(f"  {path}: {include}")
    print(f"  {len(room_breaches(sources))}")


def show_functions(root, sources):
    sizes = functions(sources)
    lengths = [s[0] for s in sizes]
    print(f"Functions: {len(sizes)}, median {statistics.median(lengths):g} lines, "
          f"{sum(n > 40 for n in lengths)} over 40; the longest:")
    for lines, name, path in sizes[:8]:
        print(f"  {lines:4} {name} ({path})")


def show_files(root, sources):
    sizes = files(sources)
    print(f"Files: {len(sizes)}, {sum(s[0] for s in sizes)} lines, "
          f"median {statistics.median(s[0] for s in sizes):g}; the longest:")
    for lines, path in sizes[:8]:
        print(f"  {lines:4} {path}")


def show_touched(root, sources):
    print("Files of src and include that name one of a kind:")
    for kind, name, pattern in EXAMPLES:
        found = touched(root, pattern)
        print(f"  {kind} {name}: {len(found)}")
        for path in found:
            print(f"    {path}")


TABLES = {"circles": show_circles, "prototypes": show_prototypes, "rooms": show_rooms,
          "functions": show_functions, "files": show_files, "touched": show_touched}


def check(sources):
    problems = ["circle: " + " <-> ".join(part) for part in circles(sources)]
    problems += [f"{path}: {name} is declared in {header}"
                 for name, path, header, is_own in prototypes(sources) if not is_own]
    problems += [f"{path}: includes {include}, which is not below it"
                 for path, include in room_breaches(sources)]
    problems += [f"{path}: {name} has {lines} lines"
                 for lines, name, path in functions(sources) if lines > LONGEST_FUNCTION]
    problems += [f"{path}: {lines} lines" for lines, path in files(sources) if lines > LONGEST_FILE]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", choices=sorted(TABLES))
    parser.add_argument("--root", default=os.path.join(os.path.dirname(__file__), ".."))
    options = parser.parse_args()
    sources = read_tree(options.root)
    if options.check:
        return check(sources)
    for name, show in TABLES.items():
        if options.list in (None, name):
            show(options.root, sources)
    return 0


if __name__ == "__main__":
    sys.exit(main())
