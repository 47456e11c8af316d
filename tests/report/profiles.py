"""Synthetic profiles, as the bytes of .wperf files (include/wasm_perf/format.h), and what is in such."""

import pathlib
import random
import re
import struct

MAGIC = b"\x89wperf\r\n"
HEADER = struct.Struct("<8sIIIIIIQQQIIIIQQQQII")
NODE = struct.Struct("<IIQQ")
NAME = struct.Struct("<II")
PLACE = struct.Struct("<III")
SECTION = struct.Struct("<IIQ")
FACTS, VALUES, NODES, NAMES, PLACES = 1, 2, 3, 4, 5

FORMAT = (pathlib.Path(__file__).parent / "../../include/wasm_perf/format.h").read_text()
HEADER_FACTS = {name: int(key) for name, key in re.findall(r"X\((\w+), u\d\d, (\d+)\)", FORMAT)}
HEADER_FIELDS = ("magic", "version", "header_size", "node_size", "node_count", "name_count",
                 *HEADER_FACTS)
OTHER_FACTS = {name: int(key) for name, key in re.findall(r"X\(([a-z_]+), (\d+)\)", FORMAT)}
FIRST_TEXT = OTHER_FACTS["module"]

ROOT = 0xFFFFFFFF
TRUNCATED = 0xFFFFFFFE
CLOCK_NONE, CLOCK_WALL, CLOCK_INSTRUCTIONS, CLOCK_SAMPLED = 0, 1, 2, 4


def padded(data):
    return data + bytes(-len(data) % 8)


class Decoded:
    """What is in a file of either version; `fields` are those of the header."""

    def __init__(self, data):
        version = int.from_bytes(data[8:12], "little")
        (self.read_whole if version == 1 else self.read_sections)(data)

    def read_whole(self, data):
        self.fields = dict(zip(HEADER_FIELDS, HEADER.unpack_from(data)))
        self.texts = {}
        offset, node_size = self.fields["header_size"], self.fields["node_size"]
        end = offset + node_size * self.fields["node_count"]
        self.nodes = [NODE.unpack_from(data, at) for at in range(offset, end, node_size)]
        self.read_names(data[end:])
        assert len(self.names) == self.fields["name_count"]

    def read_sections(self, data):
        sections = {}
        offset = 16
        while offset < len(data):
            id, zero, size = SECTION.unpack_from(data, offset)
            offset += SECTION.size
            assert zero == 0 and id not in sections
            sections[id] = data[offset:offset + size]
            assert len(sections[id]) == size and not any(data[offset + size:offset + size + -size % 8])
            offset += size + -size % 8
        assert offset == len(data)
        self.read_facts(sections[FACTS])
        assert sections[VALUES][8:18] == b"callscalls" and sections[VALUES][32:36] == b"self"
        self.nodes = list(NODE.iter_unpack(sections[NODES]))
        self.read_names(sections.get(NAMES, b""))
        self.fields.update(node_count=len(self.nodes), name_count=len(self.names))

    def read_facts(self, data):
        self.fields = dict.fromkeys(HEADER_FIELDS, 0)
        self.texts = {}
        names = {key: name for name, key in (HEADER_FACTS | OTHER_FACTS).items()}
        offset = 0
        while offset < len(data):
            key, size = NAME.unpack_from(data, offset)
            value = data[offset + 8:offset + 8 + size]
            if key >= FIRST_TEXT:
                self.texts[names[key]] = value
            else:
                self.fields[names[key]] = int.from_bytes(value, "little")
            offset += 8 + size + -size % 8

    def read_names(self, data):
        self.names = {}
        offset = 0
        while offset < len(data):
            function, size = NAME.unpack_from(data, offset)
            self.names[function] = data[offset + 8:offset + 8 + size]
            offset += 8 + size
        assert offset == len(data)


class Profile:
    """A call tree under construction; node 0 is the host."""

    def __init__(self, clock=CLOCK_WALL, ticks_per_second=10**9, truncated=0, unbalanced=0,
                 open_frames=0, node_limit=1 << 20, recursion=0, host_functions=0,
                 samples=0, hook_costs=(0, 0, 0), function_counts=(0, 0)):
        self.clock = clock
        self.ticks_per_second = ticks_per_second
        self.counters = (truncated, unbalanced, open_frames, node_limit, recursion, host_functions,
                         samples, *hook_costs, *function_counts)
        self.nodes = [(ROOT, 0, 0, 12345)]
        self.names = {}
        self.places = {}
        self.texts = {}
        self.numbers = {}  # that only version 2 has

    def add(self, parent, function, calls, self_ticks):
        self.nodes.append((function, parent, calls, self_ticks))
        return len(self.nodes) - 1

    def name(self, *texts):
        """Names functions 0, 1, …; None leaves one without a name."""
        for function, text in enumerate(texts):
            if text is not None:
                self.names[function] = text.encode()
        return self

    def place(self, function, file, line):
        self.places[function] = (line, file.encode())
        return self

    def encode(self, version=2):
        return self.encode_sections() if version == 2 else self.encode_whole()

    def encode_sections(self):
        numbers = (self.clock, self.ticks_per_second, *self.counters)
        facts = b"".join(struct.pack("<IIQ", key, 8, number)
                         for key, number in zip(HEADER_FACTS.values(), numbers) if number)
        facts += b"".join(struct.pack("<IIQ", OTHER_FACTS[name], 8, number)
                          for name, number in self.numbers.items())
        facts += b"".join(padded(NAME.pack(OTHER_FACTS[name], len(text)) + text)
                          for name, text in self.texts.items())
        unit = self.unit()
        values = padded(NAME.pack(5, 5) + b"callscalls")
        values += padded(NAME.pack(4, len(unit)) + b"self" + unit)
        nodes = b"".join(NODE.pack(function, parent, calls, ticks)
                         for function, parent, calls, ticks in self.nodes)
        names = b"".join(NAME.pack(function, len(self.names[function])) + self.names[function]
                         for function in sorted(self.names))
        places = b"".join(PLACE.pack(function, line, len(file)) + file
                          for function, (line, file) in sorted(self.places.items()))
        sections = ((FACTS, facts), (VALUES, values), (NODES, nodes), (NAMES, names), (PLACES, places))
        return struct.pack("<8sII", MAGIC, 2, 16) + b"".join(
            SECTION.pack(id, 0, len(payload)) + padded(payload) for id, payload in sections if payload)

    def unit(self):
        if self.clock != CLOCK_NONE and self.ticks_per_second == 10**9:
            return b"nanoseconds"
        return b"instructions" if self.clock == CLOCK_INSTRUCTIONS else b"ticks"

    def encode_whole(self):
        """Version 1."""
        parts = [HEADER.pack(MAGIC, 1, HEADER.size, NODE.size, len(self.nodes), len(self.names),
                             self.clock, self.ticks_per_second, *self.counters)]
        parts += [NODE.pack(function, parent, calls, ticks)
                  for function, parent, calls, ticks in self.nodes]
        for function in sorted(self.names):
            parts += [NAME.pack(function, len(self.names[function])), self.names[function]]
        return b"".join(parts)


def add_program(profile):
    """main calls parse and print; parse calls read twice from different places."""
    main = profile.add(0, 0, 1, 1500)
    parse = profile.add(main, 1, 20, 420_000)
    profile.add(parse, 2, 4000, 250_000)
    out = profile.add(main, 3, 7, 80_000)
    profile.add(out, 2, 12, 9_000)
    profile.add(out, 4, 12, 11_000)
    return profile.name("_start", "json::parse(char const*)", "malloc", "app::print", None)


def program():
    return add_program(Profile())


def places():
    """Functions with a file and a line, with a file alone, and without either."""
    profile = program()
    for function, place in enumerate(PLACE_OF_FUNCTION):
        if place:
            profile.place(function, *place)
    return profile


PLACE_OF_FUNCTION = [("/src/my app/main.c", 10), ("/src/json.cc", 42), ("/libc/malloc.c", 0),
                     ("/src/my app/main.c", 99), None]

# What follows names in tables, by function.
PLACE_TEXTS = [place and "  " + place[0].rpartition("/")[2] + (f":{place[1]}" if place[1] else "")
               for place in PLACE_OF_FUNCTION]


def without_place(text):
    """A row's text as far as its name."""
    for place in PLACE_TEXTS:
        if place and text.endswith(place):
            return text[:-len(place)]
    return text


def summary_of(top):
    """The totals and the notes, as a table of functions has them before and after its rows."""
    totals, *rest = top.split("\n\n")
    notes = [line for part in rest if not part.split("\n")[0].endswith("function")
             for line in part.splitlines()]
    return [totals.strip(), *(line for line in notes if not re.match(r"[\d,]+ more: ", line))]


def slow_clock():
    """Ticks that are no whole number of nanoseconds, and seconds of them."""
    profile = Profile(ticks_per_second=3)
    main = profile.add(0, 0, 1, 100)
    profile.add(main, 1, 3, 2)
    profile.add(main, 2, 0, 1)
    return profile.name("main", "work", "never_called")


def no_clock():
    return add_program(Profile(CLOCK_NONE, 0))


def instructions():
    return add_program(Profile(CLOCK_INSTRUCTIONS, 0))


def sampled():
    """2,345 samples."""
    return add_program(Profile(CLOCK_SAMPLED, samples=2_345))


def short_calls():
    """2.5 ns in each call of a function, most of which its hooks take; other programs ran beside it."""
    profile = add_program(Profile(CLOCK_SAMPLED, samples=2_345))
    profile.add(1, 4, 100_000, 250_000)
    profile.numbers["hooks_sampled"] = 1
    profile.numbers["cpu_time"] = 700_000
    return profile


def unknown_clock():
    return add_program(Profile(clock=77, ticks_per_second=0))


def host_calls():
    """Functions 0 and 1 are the host's; it calls back into function 3."""
    profile = Profile(host_functions=2)
    main = profile.add(0, 2, 1, 5_000)
    read = profile.add(main, 0, 10, 90_000)
    profile.add(read, 3, 4, 2_000)
    profile.add(main, 3, 1, 1_000)
    profile.add(read, 1, 1, 2_000)
    return profile.name("env.read", "env.log", "main", "callback")


def limits():
    profile = Profile(truncated=1_234_567, unbalanced=1, open_frames=3, node_limit=65536)
    add_program(profile)
    profile.add(1, TRUNCATED, 1_200_000, 77_000)
    return profile


def empty():
    return Profile()


def no_calls():
    """A function was open when counting began, and has called nothing since."""
    profile = Profile()
    profile.add(0, 0, 0, 0)
    return profile.name("outer")


def zero_time():
    profile = Profile()
    profile.add(profile.add(0, 0, 5, 0), 1, 7, 0)
    return profile.name("outer", "inner")


def recursion():
    """fact(5), called from two places: its total must count each stack once."""
    profile = Profile()
    main = profile.add(0, 0, 1, 10)
    for parent in (main, profile.add(main, 2, 1, 5)):
        for depth in range(5):
            parent = profile.add(parent, 1, 1, 100 + depth)
        profile.add(parent, 3, 1, 40)
    return profile.name("main", "fact", "helper", "leaf")


def mutual_recursion():
    profile = Profile()
    node = profile.add(0, 0, 1, 8634)
    for depth in range(12):
        node = profile.add(node, 1 + depth % 2, 1, 50 + depth)
    profile.add(node, 0, 1, 700)
    return profile.name("main", "is_even", "is_odd")


def interpreter():
    """Recursion through other functions that branches: eval, apply and yield lead to each other."""
    profile = Profile()
    evaluated = profile.add(profile.add(0, 0, 1, 20), 1, 1, 300)
    applied = profile.add(evaluated, 2, 2, 400)
    profile.add(profile.add(profile.add(applied, 1, 2, 500), 3, 2, 1000), 2, 1, 600)  # print is called by eval
    called = profile.add(applied, 4, 3, 700)
    again = profile.add(profile.add(called, 2, 3, 800), 5, 3, 900)
    profile.add(profile.add(again, 4, 1, 110), 1, 1, 120)
    return profile.name("main", "eval", "apply", "print", "yield", "drop")


def odd_names():
    profile = Profile()
    names = [
        "a;b", "a:b",  # the same text where ';' is not allowed
        "new\nline\ttab\x1b[31mred\x7f", "replaced \ufffd", "std::vector<A&B>::at(\"x\")",
        "", "größe::日本語 😀", "with ]]> and <script>alert(1)</script>", "trailing space ",
        "\u202eright to left\u2028separator", "noncharacter \ufffe", "same", "same",
        "long_" + "x" * 3000, "é" * 1000, "name — with dash", "operator new(unsigned long)",
        "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop", "github.com/me/tool/pkg.(*T).Run",
        "~lib/rt/itcms/__new", "(anonymous namespace)::hidden(int)", "#comment",
        "unsigned long lib::sum<int>(int)",
    ]
    main = profile.add(0, 100, 1, 1)
    for function in range(len(names)):
        profile.add(main, function, function + 1, 1000 + function)
        profile.add(len(profile.nodes) - 1, (function + 1) % len(names), 1, 300)
    return profile.name(*names)


def misleading_names():
    """Several functions of one name, and names that reports have for something else."""
    names = ["[truncated]", "(host)", "[small]", "[...]", "(root)", "[host]", "twin", "twin",
             "twin (func 6)", None, "func[9]", "func[11]", "a\x01", "a\x02", " begins", "_begins",
             "very_" + "long" * 300, "very_" + "long" * 300, "(a)(b)", "twin (func x)"]
    profile = Profile()
    main = profile.add(0, 100, 1, 1)
    for function in range(len(names)):
        profile.add(main, function, 1, 1000 + function)
    profile.add(main, TRUNCATED, 1, 500)
    return profile.name(*names)


def namesakes():
    """Functions of one name: in files of their own, in files of one name, on one line, nowhere."""
    files = ["/app/js/lib.js", "/app/js/main.js", "/one/util.js", "/two/util.js", "/app/min.js", "/app/min.js"]
    profile = Profile()
    main = profile.add(0, 100, 1, 1)
    for function in range(len(files) + 1):
        profile.add(main, function, 1, 1000 - function)
    for function, file in enumerate(files):
        profile.place(function, file, 7)
    return profile.name("get", "get", "get", "get", "get", "get", "get")


def many_functions():
    profile = Profile()
    main = profile.add(0, 0, 1, 5)
    for function in range(1, 81):
        profile.add(main, function, function * 1000, (function * 37 % 81) * 1000)
    return profile.name("main", *(f"lib{i % 5}_function_{i}" for i in range(1, 81)))


def extremes():
    """Values at the end of their range: sums stay at the largest value instead of wrapping."""
    half = 2**63
    profile = Profile(ticks_per_second=half + 12345)
    main = profile.add(0, 0, half, half)
    profile.add(profile.add(main, 0xFFFFFFFC, half, half), 5, 1, half)
    profile.add(main, 6, 1, half)
    return profile.name("main")


def deep(count=200_000):
    """One stack of three functions that call each other, with a value in every frame."""
    profile = Profile()
    node = 0
    for depth in range(count):
        node = profile.add(node, depth % 3, 1, 1 + depth % 7)
    return profile.name("ping", "pong", "bounce")


def depth_limit():
    """Stacks one frame below, at and past the limit."""
    profile = Profile()
    node = 0
    for depth in range(252):
        node = profile.add(node, 0 if depth < 248 else depth - 247, 1, 10 * (depth >= 248))
    profile.add(node, 1, 4, 7)
    return profile.name("step", "a", "b", "c", "d")


def wide(count=50_000):
    """A random tree of many functions in which most frames are too narrow to draw."""
    generator = random.Random(7)
    profile = Profile(ticks_per_second=2_893_000_000)
    for index in range(1, count):
        parent = generator.randrange(0 if index < 1000 else index // 20, index)
        profile.add(parent, int(generator.paretovariate(0.5)) % 5000, generator.randrange(1, 100),
                    int(generator.paretovariate(0.7)) % 10**9)
    return profile.name(*(f"part{i % 40}::Class{i % 300}::method{i}(int, char const*)"
                          for i in range(5000)))


def huge():
    return wide(1_000_000)


def crowded(levels=20, columns=900):
    """More frames of drawable width than a picture may have, many of them equally wide."""
    profile = Profile()
    for column in range(columns):
        node = 0
        for level in range(levels):
            is_innermost = level == levels - 1
            node = profile.add(node, column, 1, (1000 + column % 50) * is_innermost)
    return profile.name(*(f"column_{i}" for i in range(columns)))


# Small enough to keep the expected reports.
GOLDEN = [program, places, slow_clock, no_clock, instructions, sampled, unknown_clock, limits, empty,
          zero_time, recursion, mutual_recursion, host_calls, odd_names,
          misleading_names, many_functions, extremes]
# As those, with nothing new for readers.
TEXT_ONLY = [no_calls, short_calls, namesakes, interpreter]
# Checked against the bytes only.
LARGE = [deep, depth_limit, wide, crowded]
# Checked for their size only.
HUGE = [huge]
