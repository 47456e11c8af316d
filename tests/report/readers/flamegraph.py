"""Reads flame graphs: titles round, but each frame has its exact total. Without calls."""

from xml.etree import ElementTree

from readers.reader import file, print_functions, sum_stacks
from report_test import SVG, read_frames

picture = ElementTree.parse(file).getroot()
graph = picture.find(f"{SVG}svg[@id='frames']")
totals = {stack: int(element.get("data-total"))
          for (stack, *_), element in zip(read_frames(picture), graph, strict=True)}
selves = dict(totals)
for stack, total in totals.items():
    if stack:
        selves[stack[:-1]] -= total
whole = totals.pop(())
assert min(selves.values()) >= 0, "a frame has less than what is in it"
# What is not drawn would be taken for the time of the frame that it is missing in.
assert graph.get("data-undrawn") == "0" or whole == 0, "not all frames are drawn"
assert selves.pop(()) == 0, "something is outside of all functions"
print_functions(sum_stacks(selves.items()))
