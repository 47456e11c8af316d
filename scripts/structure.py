#!/usr/bin/env python3
"""What the sources are built like, in numbers that can be compared.

    scripts/structure.py             prints all tables
    scripts/structure.py --check     prints what is against the rules; exit code 1 if anything is
    scripts/structure.py --list X    only one table: circles, prototypes, rooms, functions, files,
                                     touched
    scripts/structure.py --compare REVISION [--build FOLDER]
                                     a table in Markdown of then and now, with what the libraries
                                     of a build folder define

The rules: no two files need each other; a function that another file calls is declared in the
header named after its source, or in a public header; a room includes only rooms below it; functions
and files outside tables stay within LONGEST_FUNCTION and LONGEST_FILE lines, and 95 of 100 functions
within USUAL_FUNCTION; a source, or the header named after it, begins with a comment that says what it is;
counting up or down stands behind the name (`i++`) where nobody reads the value; the files that the pages about
the sources name exist.

Sources are read as text in the form that clang-format gives them: a definition begins in the first
column and ends with a brace there.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

LONGEST_FUNCTION = 40
LONGEST_FILE = 500
USUAL_FUNCTION = 25  # lines that 95 of 100 stay within

# Each room and those below it that it may include. A folder that is not named here is part of the one
# around it.
LIBRARY = ["support", "names", "module", "code", "rewrite", "component", "runtime", "profile", "report",
           "debug", "match", "symbols", "samples"]
COMMAND = LIBRARY + ["cli/common"]
ROOMS = {
    "support": [],
    "names": ["support"],
    "module": ["support"],
    "code": ["support", "module"],
    "rewrite": ["support", "names", "module", "code", "debug"],
    "hooks": ["support", "names", "module", "code", "debug", "rewrite", "runtime"],  # the embedded form's contract
    "component": ["support", "module", "rewrite", "hooks"],
    "api": ["support", "module", "rewrite", "hooks", "component"],
    "runtime": ["support"],
    "profile": ["support", "names", "runtime"],
    "report": ["support", "names", "profile"],
    "debug": ["support", "module"],
    "match": ["support", "module", "code"],
    "symbols": ["support", "names", "module", "code", "debug", "component", "profile", "match"],
    "samples": ["support", "names", "profile", "debug"],
    "cli/common": ["support", "hooks", "profile", "symbols"],  # options' lists; what hooks are worth
    "cli/instrument": COMMAND,
    # The program's table is above its commands, which all include the header of that table.
    "cli/perf": COMMAND + ["cli/perf/record"],
    "cli/perf/input": COMMAND + ["cli/perf"],
    "cli/perf/show": COMMAND + ["cli/perf", "cli/perf/input"],
    "cli/perf/record": COMMAND + ["cli/perf", "cli/perf/input", "cli/perf/show"],
    "cli/perf/bench": COMMAND + ["cli/perf", "cli/perf/input", "cli/perf/record"],
    "cli/reader": COMMAND + ["cli/perf", "cli/perf/input", "cli/perf/show"],
    "cli/docgen": COMMAND + ["cli/instrument", "cli/perf"],
}

# A value that one list holds, so that the files which name it are those that the next one touches.
EXAMPLES = [
    ("clock", "sampled", r"sampled|SAMPLED"),
    ("format", "speedscope", r"speedscope"),
    ("host", "wasmtime", r"wasmtime"),
    ("opcode", "br_on_cast", r"br_on_cast|BR_ON_CAST"),
]
FORMER_EXAMPLES = {"clock": r"hybrid|HYBRID"}  # of revisions that do not know the one above

LIBRARIES = ["libwasm_perf.a", "libwasm_perf_report.a", "libwasm_instrument.a"]

# Sources that take the place of those with the same name, where libraries are missing.
REPLACEMENTS = "src/js/package/wasi/"

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
DEFINITION = re.compile(r"^(?!typedef|enum|struct|union|#|extern|\})[A-Za-z_][^;{}=#]*?"
                        r"\b([A-Za-z_]\w*)\s*\([^;{}]*\)[^;{}=]*\{", re.M)
PAGES = ["src/docs/architecture.md", "src/docs/contributing.md"]  # those about the sources
FILE_NAME = re.compile(r"[\w./-]+\.(?:c|h|cc|def|mjs|py|sh|cmake|test)\b(?!\.)|\b(?:src|tests|scripts|examples)/[\w./-]+\w")
PLACEHOLDER = re.compile(r"NAME|^app\.mjs$")
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
    definers = [name for path, source in sources.items() if not path.endswith(".h")
                for name in source.defines()]
    result = []
    for path, source in sorted(sources.items()):
        if path.endswith(".h"):
            continue
        for name in source.defines():
            headers = declared.get(name)
            if headers:
                own = [h for h in headers
                       if stem(h) == stem(path) or h.startswith("include/")
                       or (stem(path).startswith(stem(h) + "_")  # one of several builds of it
                           and definers.count(name) > 1)
                       or (path.startswith(REPLACEMENTS)
                           and os.path.basename(stem(h)) == os.path.basename(stem(path)))]
                result.append((name, path, (own or headers)[0], bool(own)))
    return result


# ---- Rooms ------------------------------------------------------------------------------------
def room(path):
    """The innermost room that the file lies in."""
    folder = os.path.dirname(path).removeprefix("src/")
    while folder and folder not in ROOMS:
        folder = os.path.dirname(folder)
    return folder or None


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


def percentile(lengths, share):
    return sorted(lengths)[int(len(lengths) * share / 100)]


def static_functions(sources):
    """How many there are, and how many of these are named once beside their definition."""
    count, once = 0, 0
    for path, source in sources.items():
        for name, is_static, _ in source.functions:
            if is_static and not path.endswith(".h"):
                count += 1
                once += len(re.findall(rf"\b{name}\b", source.text)) == 2
    return count, once


def undescribed(sources):
    """Sources that begin with no comment, and whose header does not, either."""
    for path, source in sorted(sources.items()):
        header = sources.get(stem(path) + ".h")
        if not source.raw.startswith("/*") and not (header and header.raw.startswith("/*")):
            yield path


PREFIXED = re.compile(r"^ *(?:\+\+|--)[\w.>\[\]-]+;|; *(?:\+\+|--)[\w.>\[\]-]+\) *(?:\{|$)", re.M)


def prefixed(sources):
    """(file, line) of each `++i` that a statement or a loop's head consists of."""
    for path, source in sorted(sources.items()):
        for match in PREFIXED.finditer(source.text):
            yield path, source.text.count("\n", 0, match.start()) + 1


def missing_files(root):
    """Names of files and folders in the pages about the sources that stand for nothing: (page, name)."""
    known = set()
    for top in ("src", "tests", "scripts", "examples", "include"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            folder = "/" + os.path.relpath(folder, root)
            known.update([folder], (f"{folder}/{name}" for name in names))
    endings = {path[i:] for path in known for i, letter in enumerate(path) if letter == "/"}
    for page in PAGES:
        with open(os.path.join(root, page), encoding="utf-8") as file:
            codes = re.findall(r"`([^`\n]+)`", file.read())
        names = {name for code in codes for name in FILE_NAME.findall(code) if not PLACEHOLDER.search(name)}
        yield from ((page, name) for name in sorted(names) if "/" + name.lstrip("/") not in endings)


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
    count, once = static_functions(sources)
    print(f"Functions: {len(sizes)}, median {statistics.median(lengths):g} lines, 95 of 100 within "
          f"{percentile(lengths, 95)}, {sum(n > 40 for n in lengths)} over 40; of {count} static ones "
          f"{100 * once // count} % are named in one place; the longest:")
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


# ---- Then and now ------------------------------------------------------------------------------
def touched_count(root, kind, pattern):
    former = FORMER_EXAMPLES.get(kind)
    return max(len(touched(root, p)) for p in (pattern, former) if p)


def summary(root):
    """(what, number) of each line of the comparison."""
    sources = read_tree(root)
    parts, known = circles(sources), prototypes(sources)
    lines, sizes = [s[0] for s in functions(sources)], [s[0] for s in files(sources)]
    yield "circles between files", len(parts)
    yield "files in circles", sum(len(part) for part in parts)
    yield "prototypes outside the header named after their source", \
        f"{sum(not p[3] for p in known)} of {len(known)}"
    yield "includes of rooms that are not below", len(room_breaches(sources))
    for kind, _, pattern in EXAMPLES:
        yield f"files that name one {kind}", touched_count(root, kind, pattern)
    yield "functions: median, 95 of 100 within, longest", \
        f"{statistics.median(lines):g}, {percentile(lines, 95)}, {max(lines)} lines"
    count, once = static_functions(sources)
    yield "static functions that are named in one place", f"{100 * once // count} % of {count:,}"
    yield "functions of more than 40 lines", sum(n > 40 for n in lines)
    yield "files: median, longest", f"{statistics.median(sizes):g}, {max(sizes)} lines"
    yield "files of more than 500 lines", sum(n > 500 for n in sizes)
    yield "files and lines of C", f"{len(sizes)}, {sum(sizes):,}"


def symbol_rows(build):
    """What each library gives to whom links it: public names, internal ones, others of C."""
    for library in LIBRARIES:
        output = subprocess.run(["nm", "--extern-only", "--defined-only", "--format=posix",
                                 os.path.join(build, library)],
                                capture_output=True, text=True, check=True).stdout
        names = {line.split()[0] for line in output.splitlines() if len(line.split()) > 2}
        names = {n for n in names if re.match(r"[a-z]", n)}  # C++ and compilers begin with _ or DW
        headers = "".join(open(os.path.join(folder, name), encoding="utf-8").read()
                          for folder, _, found in os.walk("include") for name in found)
        public = {n for n in names if re.search(rf"\b{n}\b", headers)}
        internal = {n for n in names - public if n.startswith("wi_")}
        yield (f"names in `{library}`: public, `wi_` internal, others",
               f"{len(public)}, {len(internal)}, {len(names - public - internal)}")


def comparison(root, revision, build):
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "-C", root, "archive", revision, "src", "include"],
                                 capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        before = dict(summary(folder))
    yield f"| | {revision} | now |\n|---|---|---|\n"
    for what, number in summary(root):
        yield f"| {what} | {before[what]} | {number} |\n"
    for what, numbers in symbol_rows(build) if build else []:
        yield f"| {what} | | {numbers} |\n"


TABLES = {"circles": show_circles, "prototypes": show_prototypes, "rooms": show_rooms,
          "functions": show_functions, "files": show_files, "touched": show_touched}


def check(root, sources):
    problems = ["circle: " + " <-> ".join(part) for part in circles(sources)]
    problems += [f"{path}: {name} is declared in {header}"
                 for name, path, header, is_own in prototypes(sources) if not is_own]
    problems += [f"{path}: includes {include}, which is not below it"
                 for path, include in room_breaches(sources)]
    problems += [f"{path}: {name} has {lines} lines"
                 for lines, name, path in functions(sources) if lines > LONGEST_FUNCTION]
    usual = percentile([lines for lines, _, _ in functions(sources)], 95)
    problems += [f"only 95 of 100 functions are within {usual} lines"] * (usual > USUAL_FUNCTION)
    problems += [f"{path}: no comment says what it is" for path in undescribed(sources)]
    problems += [f"{path}:{line}: ++ before the name" for path, line in prefixed(sources)]
    problems += [f"{path}: {lines} lines" for lines, path in files(sources) if lines > LONGEST_FILE]
    problems += [f"{page}: there is no {name}" for page, name in missing_files(root)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", choices=sorted(TABLES))
    parser.add_argument("--compare", metavar="REVISION")
    parser.add_argument("--build", metavar="FOLDER")
    parser.add_argument("--root", default=os.path.join(os.path.dirname(__file__), ".."))
    options = parser.parse_args()
    if options.compare:
        sys.stdout.writelines(comparison(options.root, options.compare, options.build))
        return 0
    sources = read_tree(options.root)
    if options.check:
        return check(options.root, sources)
    for name, show in TABLES.items():
        if options.list in (None, name):
            show(options.root, sources)
    return 0


if __name__ == "__main__":
    sys.exit(main())
