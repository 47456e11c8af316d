"""Reads callgrind's format by callgrind_annotate."""

import collections
import shutil
import sys

from callgrind_test import HOST, Annotation
from checks import failures
from readers.reader import NOT_INSTALLED, file, print_functions

command = shutil.which("callgrind_annotate")
if command is None:
    print("callgrind_annotate is not installed", file=sys.stderr)
    sys.exit(NOT_INSTALLED)
selves = Annotation(command, file, "--inclusive=no").costs
tree = Annotation(command, file, "--inclusive=yes", "--tree=both")
assert not failures and selves.keys() == tree.costs.keys()
calls = collections.Counter()
for (_, callee), (count, _) in tree.calls.items():
    calls[callee] += count
print_functions({name: (self_cost, tree.costs[name], calls[name])
                 for name, self_cost in selves.items() if name != HOST})
