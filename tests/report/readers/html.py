"""Reads the table of the HTML report; the numbers that its cells round are attributes of the rows."""

import html.parser

from readers.reader import file, print_functions


class Table(html.parser.HTMLParser):
    """{name: (self, total, calls)}; where calls are the values there is no total."""

    def __init__(self, text):
        super().__init__()
        self.functions = {}
        self.sums = None
        self.name = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        assert attributes.get("id") != "remainder", "not all functions are in the table"
        if tag == "tr" and "data-calls" in attributes:
            calls = int(attributes["data-calls"])
            total = attributes.get("data-total")
            self.sums = (int(attributes.get("data-self", calls)), total and int(total), calls)
        elif tag == "th" and self.sums:
            self.name = ""

    def handle_data(self, data):
        if self.name is not None:
            self.name += data

    def handle_endtag(self, tag):
        if tag == "th" and self.sums:
            assert self.name not in self.functions, f"two rows of {self.name!r}"
            self.functions[self.name] = self.sums
            self.sums = self.name = None


print_functions(Table(file.read_text(encoding="utf-8")).functions)
