"""Checks that go on after a failure, as the tests of reports make them."""

import sys

failures = []


def check(condition, message):
    if not condition:
        failures.append(message)
        print("FAIL", message)


def finish(code=0):
    """Ends the program: with 1 after a failure, else with `code`."""
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else code)
