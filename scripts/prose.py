#!/usr/bin/env python3
"""Finds sentences in pages, messages, comments and titles of tests that readers stumble over. Exit code 1 if there are any.

    scripts/prose.py

Each pattern has the words to write instead. Code in pages is left out; so are the change log and the
pages that scripts print.
"""
import glob
import os
import re
import sys

PATTERNS = [  # what is found, what to write instead
    (r"\bwill do\b", "works too"),
    (r", also (where|if)\b", "even if"),
    (r"\bwhere (there is|it is|there are)\b", "if there is; name the actor"),
    (r"\bwhat (it|they|that|these) (takes?|took|has|have|calls?)\b", "its cost; the calls"),
    (r"(?<!there )\b(is|are) no (?!more\b|longer\b|less\b)[a-z]", "is not a …; cannot"),
    (r"\bstands? (in|under|below|beside|with|at|as|on|there)\b", "is in; is shown below"),
    (r"\bare without\b", "exclude; have no"),
    (r"\bit takes an?\b", "it needs a"),
    (r"\b(honest|truest)\b", "accurate"),
    (r"\bper cent\b", "%"),
    (r"\b(is|are) told\b", "wasm-perf prints; recognises"),
    (r"\b(the )?(same|those) of\b", "name the noun again"),
    (r"\bwho reads\b", "readers"),
    (r"--[a-z-]+ goes with\b|\bdoes not go with --", "needs; cannot be used with"),
    (r"\bof its own (?=[a-z]+ and)", "separate"),
    (r"\blaid over\b", "attributed to"),
]
PAGES = ["README.md", "src/docs/*.md", "src/js/package/README.md", "examples/*/README.md"]
GENERATED = {"src/docs/changelog.md", "src/docs/measurements.md", "src/docs/field.md"}
MESSAGES = "src/**/*.c"
SCRIPTS = "src/js/**/*.mjs"  # whose messages are checked, too
TESTS = "tests/**/*.test.mjs"  # whose titles are
COMMENTED = ["include", "src"]  # folders whose comments are checked
SOURCE = re.compile(r"\.(c|cc|h|def|mjs|cjs)$")
COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.S | re.M)
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"(?:\s*"((?:[^"\\\n]|\\.)*)")*')

SCRIPT_PIECE = re.compile(  # a comment, or a string, which is in a group
    r"""//[^\n]*|/\*.*?\*/|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`""", re.S)
TITLE = re.compile(r"\b(?:test|it|describe)\((['\"`])((?:(?!\1)[^\\\n]|\\.)*)\1")


def page_text(text):
    """The page with its code blanked, lines kept."""
    return re.sub(r"^```.*?^```|`[^`]*`", lambda code: re.sub(r"[^\n]", " ", code.group(0)), text, flags=re.M | re.S)


def messages(text):
    """(line, text) of each string, adjacent ones joined."""
    for match in STRING.finditer(text):
        words = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', match.group(0)))
        if " " in words:
            yield text.count("\n", 0, match.start()) + 1, words


def script_messages(text):
    """(line, text) of each string of JavaScript; an X is in the place of each embedded expression."""
    for match in SCRIPT_PIECE.finditer(text):
        words = re.sub(r"\$\{[^{}]*\}", "X", "".join(match.groups("")))
        if " " in words:
            yield text.count("\n", 0, match.start()) + 1, " ".join(words.split())


def titles(text):
    """(line, text) of the title of each test."""
    for match in TITLE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(2)


def comments(text):
    """(line, text) of each comment, without the stars."""
    for match in COMMENT.finditer(text):
        words = re.sub(r"^\s*\*", "", match.group(0), flags=re.M)
        yield text.count("\n", 0, match.start()) + 1, " ".join(words.split())


def paragraphs(text):
    """(line, text) of each paragraph of a page."""
    text = page_text(text)
    for match in re.finditer(r"(?:[^\n]+\n)+", text):
        yield text.count("\n", 0, match.start()) + 1, " ".join(match.group(0).split())


def findings(pieces):
    """(line, what is wrong with it) in texts of a page or a source."""
    for line, words in pieces:
        for pattern, instead in PATTERNS:
            for match in re.finditer(pattern, words, re.I):
                around = words[max(0, match.start() - 30):match.end() + 30]
                yield line, f"“…{around}…”: {instead}"


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    files = [(path, paragraphs) for pages in PAGES for path in sorted(glob.glob(pages)) if path not in GENERATED]
    files += [(path, messages) for path in sorted(glob.glob(MESSAGES, recursive=True))]
    files += [(path, script_messages) for path in sorted(glob.glob(SCRIPTS, recursive=True))]
    files += [(path, titles) for path in sorted(glob.glob(TESTS, recursive=True))]
    files += [(path, comments) for folder in COMMENTED for path in sorted(glob.glob(f"{folder}/**", recursive=True))
              if SOURCE.search(path)]
    found = 0
    for path, pieces_of in files:
        with open(path, encoding="utf-8") as file:
            for line, message in findings(pieces_of(file.read())):
                print(f"{path}:{line}: {message}", file=sys.stderr)
                found += 1
    print(f"prose: {found} findings in {len({path for path, _ in files})} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
