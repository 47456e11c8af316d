"""Pairs of profiles for what takes more than one, made of those of profiles.py."""

import random

import profiles
from profiles import Profile

HEADERS = dict(truncated=5, unbalanced=2, open_frames=7, node_limit=100, host_functions=3,
               function_counts=(40, 20))


def altered(make, seed=1):
    """The same program after a change: stacks are gone, new, shorter and longer."""
    generator = random.Random(seed)
    old = make()
    new = Profile()
    new.clock, new.ticks_per_second = old.clock, old.ticks_per_second
    new.counters, new.names = old.counters, old.names
    places = {0: 0}
    for index, (function, parent, calls, ticks) in enumerate(old.nodes):
        if index == 0 or parent not in places or generator.random() < 0.05:
            continue
        factor = generator.choice((0.5, 1, 1, 1, 1.25))
        places[index] = new.add(places[parent], function, int(calls * factor), int(ticks * factor))
        if generator.random() < 0.05:
            new.add(places[index], generator.choice(old.nodes[1:])[0], calls // 2 + 1, ticks // 3)
            new.add(places[index], 77_777, 1, 5)
    return new


def renamed():
    """Another build: the same names at other numbers."""
    profile = Profile(profiles.CLOCK_INSTRUCTIONS, 0)
    main = profile.add(0, 3, 1, 1700)
    profile.add(profile.add(main, 2, 20, 420_000), 0, 4000, 251_000)
    profile.add(profile.add(main, 4, 9, 80_000), 0, 12, 8_000)
    return profile.name("malloc", None, "json::parse(char const*)", "_start", "app::print")


def with_header(make, **fields):
    profile = make()
    profile.counters = Profile(**fields).counters
    return profile


def with_ticks(make, ticks_per_second):
    profile = make()
    profile.ticks_per_second = ticks_per_second
    return profile


def without_names(make):
    profile = make()
    profile.names = {}
    return profile


def with_silent_function():
    profile = profiles.program()
    profile.add(1, 9, 0, 0)
    return profile


def twins(count, moved=0):
    """Functions of one name, and one of another; `moved`: what precedes them."""
    profile = Profile(profiles.CLOCK_INSTRUCTIONS, 0)
    main = profile.add(0, 0, 1, 10)
    for rank in range(1, count + 1):
        profile.add(main, moved + rank, rank, 1000 * rank)
    return profile.name("main", *[None] * moved, *["twin"] * count)


def pairs():
    """(name, before, after), of one clock and with names that agree unless it says so."""
    for make in profiles.GOLDEN:
        yield make.__name__, make(), altered(make)
    yield "same", profiles.instructions(), profiles.instructions()
    yield "to_nothing", profiles.program(), profiles.empty()
    yield "from_nothing", profiles.empty(), profiles.program()
    yield "silent", profiles.program(), with_silent_function()
    yield "half_named", profiles.program(), without_names(profiles.program)
    yield "twins", twins(3), twins(3, 4)
    yield "more_twins", twins(2), twins(3)
    yield "one_twin", twins(3), twins(1)
    yield "ticks", profiles.program(), with_ticks(lambda: altered(profiles.program), 3_000_000_007)
    yield "slow_ticks", with_ticks(profiles.program, 7), with_ticks(
        lambda: altered(profiles.program, 4), 3)
    yield "deep", profiles.deep(100_000), profiles.deep(120_001)
    yield "depth_limit", profiles.depth_limit(), altered(profiles.depth_limit)
    yield "wide", profiles.wide(), altered(profiles.wide)
    costs = dict(hook_costs=(1000, 3000, 50))
    yield "hook_costs", with_header(profiles.program, **costs), with_header(
        lambda: altered(profiles.program), hook_costs=(1501, 2000, 70))
    yield "counts", with_header(profiles.sampled, samples=1, **HEADERS), \
        with_header(profiles.sampled, samples=2**64 - 9, truncated=1, unbalanced=1,
                    open_frames=2**32 - 3, node_limit=99)
