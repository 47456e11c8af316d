"""Calls in each way that CPython has, some of which its interpreter runs without a call of its own."""
import asyncio
import functools
import json


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


class Word:
    def __init__(self, text):
        self.text = text

    def __lt__(self, other):
        return (len(self.text), self.text) < (len(other.text), other.text)

    def __getitem__(self, index):
        return self.text[index]

    def __getattr__(self, name):
        return name.upper()

    @property
    def size(self):
        return len(self.text)


def words(text):
    yield from (Word(word) for word in text.split())


class Refused(Exception):
    pass


def check(n):
    if n % 7 == 0:
        raise Refused(n)
    return n if n < 3 else check(n - 2)


def refusals():
    refused = 0
    for n in range(100):
        try:
            check(n)
        except Refused:
            refused += 1
    return refused


def stubborn():
    try:
        while True:
            yield 1
    except ValueError:
        yield 2
    finally:
        fib(3)


def delegate():
    yield from stubborn()


def generators():
    one = delegate()
    next(one), one.send(3), one.throw(ValueError()), one.close()
    two = stubborn()
    next(two)
    two.close()
    stubborn().close()  # never runs
    return sum(n * n for n in range(20)), [fib(n) for n in range(5)]


def größe(text):
    return len(text)


def 名前(text):
    return größe(text)


def traced(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


@traced
def callback(n):
    return -n


async def leaf(n):
    await asyncio.sleep(0)
    return n


async def branch(n):
    return sum([await leaf(i) for i in range(n)])


def drive(coroutine):
    """What an event loop does, without one."""
    try:
        while True:
            coroutine.send(None)
    except StopIteration as end:
        return end.value


def made_and_gone(count):
    """Code that comes to stand where other code was."""
    for n in range(count):
        space = {}
        exec(compile(f"def made{n % 50}(): return {n}\nmade{n % 50}()", "made.py", "exec"), space)
        del space


def main():
    text = "the quick brown fox jumps over the lazy dog " * 10
    counts = {}
    for word in sorted(words(text)):
        counts[word.text] = counts.get(word.text, 0) + word.size + len(word[0] + word.missing)
    results = [fib(15), deep(500), refusals(), generators(), 名前("abc"), drive(branch(10))]
    results += [sorted(range(5), key=callback), list(map(lambda n: n + 1, range(5)))]
    made_and_gone(500)
    print(json.dumps([results, counts], default=str)[:60])


main()
