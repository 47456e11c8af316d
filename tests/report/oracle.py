"""What the reports must say, worked out from the bytes of a .wperf file in another way than the
exporters do: by whole stacks instead of a merged tree."""

import collections
import itertools
import itertools
import re
import struct

import profiles

DEPTH_LIMIT = 250
LARGEST = 2**64 - 1
CONTROL_RANGES = ((0, 0x20), (0x7F, 0xA0), (0x2028, 0x202F), (0x2066, 0x206A))
CONTROLS = {code: "_" for start, end in CONTROL_RANGES for code in range(start, end)}

OURS = re.compile(r"^\([^][()]*\)$|^\[[^][()]*\]$| \(func \d+\)$")


LONGEST = 16384  # bytes of a label


def cut(text, size, whole):
    """Names are whole, but for those of absurd length: these end in a hash (FNV-1a)."""
    if len(text.encode()) <= size - 11:
        return text
    value = 2166136261
    for byte in whole:
        value = (value ^ byte) * 16777619 % 2**32
    return text.encode()[:size - 11].decode("utf-8", "ignore") + f"…{value:08x}"


def tell_apart(oracles):
    """Profiles that are compared: functions of one name are distinguished by their order."""
    for oracle in oracles:
        oracle.marks = {}
    for name in {name for oracle in oracles for name in oracle.names.values()} - {b""}:
        sides = [sorted({node[0] for node in oracle.nodes[1:] if oracle.names.get(node[0]) == name})
                 for oracle in oracles]
        sizes = sorted({len(functions) for functions in sides} - {0})
        for oracle, functions in zip(oracles, sides):
            for rank, function in enumerate(functions, 1):
                if sizes != [1]:
                    oracle.marks[function] = (f" ({sizes[0]} to {sizes[-1]} functions)"
                                              if len(sizes) > 1 else f" ({rank} of {sizes[0]})")
    return oracles


class Oracle:
    def __init__(self, data):
        self.marks = None  # of functions in profiles that are compared
        decoded = profiles.Decoded(data)
        self.clock = decoded.fields["clock"]
        self.sample_count = decoded.fields["clock_read_count"]
        self.ticks_per_second = decoded.fields["ticks_per_second"]
        self.host_function_count = decoded.fields["host_function_count"]
        self.nodes = decoded.nodes
        self.node_count = len(self.nodes)
        self.names = decoded.names
        self.weights = self.weigh()
        self.cache = {}
        self.plain_names = {}  # how many functions have each, before any is marked

    def label(self, function, separator=""):
        key = (function, separator)
        if key not in self.cache:
            self.cache[key] = self.distinct(function, separator)
        return self.cache[key]

    def distinct(self, function, separator):
        """With the index where another function is called so, or something else than a function."""
        plain = self.clean(function, separator)
        if separator not in self.plain_names:
            functions = {node[0] for node in self.nodes[1:]}
            self.plain_names[separator] = collections.Counter(
                self.clean(other, separator) for other in functions)
        is_ambiguous = OURS.search(plain) or self.plain_names[separator][plain] > 1
        if self.marks is not None:
            mark = self.marks.get(function, "")
            return cut(plain, LONGEST - len(mark), plain.encode()) + mark if mark else plain
        if function == profiles.TRUNCATED or not is_ambiguous:
            return plain
        mark = f" (func {function})"
        return cut(plain, LONGEST - len(mark), plain.encode()) + mark

    def clean(self, function, separator):
        if function == profiles.TRUNCATED:
            return "[truncated]"
        if not self.names.get(function):
            return f"func[{function}]"
        text = self.names[function].decode().replace("\ufffe", "\ufffd")
        text = text.translate(CONTROLS)
        if separator:
            text = text.replace(separator, ":")
        text = "_" + text[1:] if text.startswith(" ") else text
        return cut(text, LONGEST, self.names[function])

    def host_names(self):
        """The names that are those of a function of the host."""
        return {self.label(node[0]) for node in self.nodes[1:]
                if node[0] < self.host_function_count}

    def weigh(self):
        """Of each node but the root: what it adds to the sum, which is rounded down."""
        numbers = [node[2 if self.clock == profiles.CLOCK_NONE else 3] for node in self.nodes[1:]]
        if self.clock == profiles.CLOCK_NONE or self.ticks_per_second == 0:
            return numbers
        sums = [10**9 * ticks // self.ticks_per_second
                for ticks in itertools.accumulate(numbers, initial=0)]
        return [min(after - before, LARGEST) for before, after in itertools.pairwise(sums)]

    def stacks(self, separator=""):
        """Yields (stack, weight, calls) with the stack as reports with a depth limit show it."""
        shown = [()]
        full_depth = [0]
        distinct = {}
        for node, weight in zip(self.nodes[1:], self.weights):
            function, parent, calls = node[:3]
            depth = full_depth[parent] + 1
            head = shown[parent][:DEPTH_LIMIT]
            middle = () if depth <= DEPTH_LIMIT else ("[...]",)
            full_depth.append(depth)
            stack = head + middle + (self.label(function, separator),)
            shown.append(distinct.setdefault(stack, stack))
            yield shown[-1], weight, calls

    def folded(self):
        """The lines of the folded report."""
        sums = collections.Counter()
        for stack, weight, _ in self.stacks(";"):
            sums[stack] += weight
        lines = []
        for stack in sorted(sums, key=lambda stack: [frame.encode() for frame in stack]):
            value = min(sums[stack], LARGEST)
            if value:
                lines.append(f"{';'.join(stack)} {value}")
        return lines

    def frames(self):
        """{stack: [self, total, calls]} for a flame graph; () is the base."""
        frames = {(): [0, 0, 0]}
        for stack, weight, calls in self.stacks():
            if stack[-2:-1] == ("[...]",):  # the mark has no node of its own
                frames.setdefault(stack[:-1], [0, 0, 0])
            own = frames.setdefault(stack, [0, 0, 0])
            own[0] += weight
            own[2] += calls
        for stack in sorted(frames, key=len, reverse=True):
            frames[stack][1] += frames[stack][0]
            if stack:
                frames[stack[:-1]][1] += frames[stack][1]
        return frames

    def functions(self):
        """{name: (self, total, calls)}; a total is the value of all stacks the name is on."""
        totals = collections.defaultdict(lambda: [0, 0, 0])
        on_stack = [frozenset()]
        weights_of_sets = collections.Counter()
        for node, weight in zip(self.nodes[1:], self.weights):
            function, parent, calls = node[:3]
            name = self.label(function)
            names = on_stack[parent]
            if name not in names:
                names = names | {name}
            on_stack.append(names)
            totals[name][0] += weight
            totals[name][2] += calls
            weights_of_sets[names] += weight
        for names, weight in weights_of_sets.items():
            for name in names:
                totals[name][1] += weight
        return {name: tuple(min(number, LARGEST) for number in sums)
                for name, sums in totals.items()}

    # ---- Views of one function: {path: (self, total, calls)}, the path from that function on ----

    def full_stacks(self):
        """Yields (stack, weight, calls) of each node; for profiles that are not deep."""
        stacks = [()]
        for node, weight in zip(self.nodes[1:], self.weights):
            stacks.append(stacks[node[1]] + (self.label(node[0]),))
            yield stacks[-1], weight, node[2]

    def tree(self):
        paths = collections.defaultdict(lambda: [0, 0, 0])
        self.runs = {}
        for stack, weight, calls in self.full_stacks():
            stack = self.folded_path(stack)
            paths[stack][0] += weight
            paths[stack][2] += calls
            for size in range(len(stack) + 1):
                paths[stack[:size]][1] += weight
        return saturated(paths)

    def without_runs(self, path):
        """A function that calls itself is one frame; self.runs has the most that each stands for."""
        short = ()
        for name, frames in itertools.groupby(path):
            short += (name,)
            self.runs[short] = max(self.runs.get(short, 0), len(list(frames)))
        return short

    def folded_path(self, path):
        """A recursive call is counted in the frame of its function; self.runs has the most of one stack."""
        short = ()
        frames = collections.Counter()
        for name in path:
            short = short[:short.index(name) + 1] if name in short else short + (name,)
            frames[short] += 1
            self.runs[short] = max(self.runs.get(short, 0), frames[short])
        return short

    def callers(self, name):
        """Up from each frame of the function to the host or to the function again."""
        paths = collections.defaultdict(lambda: [0, 0, 0])
        self.runs = {}
        totals = collections.Counter()  # of each outermost frame
        frames = []
        for stack, weight, calls in self.full_stacks():
            if name in stack:
                totals[stack[:stack.index(name) + 1]] += weight
            if stack[-1] == name:
                frames.append((stack, weight, calls))
        counted = set()
        for stack, weight, calls in frames:
            above = ("(host)",) + stack[:-1]
            start = stack[:-1].index(name) if name in stack[:-1] else -1
            if start >= 0:
                start = len(stack) - 2 - stack[-2::-1].index(name)
            path = self.without_runs(tuple(reversed(above[start + 1:])))
            total = totals[stack] if start < 0 and stack not in counted else 0
            counted.add(stack)
            for size in range(len(path) + 1):
                sums = paths[path[:size]]
                sums[0] += weight
                sums[1] += total
                sums[2] += calls
        return saturated(paths)

    def callees(self, name):
        """Down from the innermost frame of the function on each stack."""
        paths = collections.defaultdict(lambda: [0, 0, 0])
        self.runs = {}
        for stack, weight, calls in self.full_stacks():
            if name not in stack:
                continue
            last = len(stack) - 1 - stack[::-1].index(name)
            path = self.folded_path(stack[last + 1:])
            paths[path][0] += weight
            paths[path][2] += calls
            for size in range(len(path) + 1):
                paths[path[:size]][1] += weight
            if not path and name in stack[:-1]:  # the call itself, where it was made
                before = len(stack) - 2 - stack[-2::-1].index(name)
                paths[self.folded_path(stack[before + 1:])][2] += calls
        return saturated(paths)


def saturated(paths):
    return {path: tuple(min(number, LARGEST) for number in sums) for path, sums in paths.items()}
