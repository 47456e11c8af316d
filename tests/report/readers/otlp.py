"""Reads OpenTelemetry's profiles by their published definition, the PyPI package opentelemetry-proto."""

import os
import pathlib
import sys

from readers.reader import NOT_INSTALLED, file, print_functions

sys.path.append(os.environ.get("WI_PYTHON") or
                str(pathlib.Path.home() / ".cache/wasm-instrument/python"))
try:
    from opentelemetry.proto.collector.profiles.v1development.profiles_service_pb2 import (
        ExportProfilesServiceRequest)
    from opentelemetry.proto.profiles.v1development.profiles_pb2 import ProfilesData
except ImportError:
    print("the PyPI package opentelemetry-proto is not installed", file=sys.stderr)
    sys.exit(NOT_INSTALLED)

VALUES = {"nanoseconds": "wall", "calls": "calls"}  # the others are called like their unit


def parse(message):
    """The file as that message, which leaves nothing of it over."""
    message.ParseFromString(file.read_bytes())
    size = message.ByteSize()
    message.DiscardUnknownFields()
    assert message.ByteSize() == size == file.stat().st_size, "fields that the definition has not"
    return message


def check_table(table, used):
    """As the definition asks: zeros first, nothing twice, nothing that nobody refers to."""
    assert not table[0].ByteSize(), "the first element is to be zeros"
    items = [item.SerializeToString(deterministic=True) for item in table]
    assert len(set(items)) == len(items), "an element occurs twice"
    assert set(used) | {0} == set(range(len(table))), "an element that is not there, or not used"


def check_dictionary(dictionary, profiles):
    strings = dictionary.string_table
    assert strings[0] == ""
    check_table(dictionary.stack_table, {s.stack_index for p in profiles for s in p.samples})
    check_table(dictionary.location_table,
                {i for stack in dictionary.stack_table for i in stack.location_indices})
    lines = [line for location in dictionary.location_table for line in location.lines]
    check_table(dictionary.function_table, {line.function_index for line in lines})
    check_table(dictionary.mapping_table, {i.mapping_index for i in dictionary.location_table})
    with_attributes = (*profiles, *dictionary.location_table, *dictionary.mapping_table)
    check_table(dictionary.attribute_table, {i for item in with_attributes for i in item.attribute_indices})
    check_table(dictionary.link_table, {s.link_index for p in profiles for s in p.samples})
    assert len(set(strings)) == len(strings), "a string occurs twice"
    used = {mapping.filename_strindex for mapping in dictionary.mapping_table}
    used |= {i for f in dictionary.function_table for i in (f.name_strindex, f.filename_strindex)}
    used |= {i for p in profiles for i in (p.sample_type.type_strindex, p.sample_type.unit_strindex)}
    used |= {attribute.key_strindex for attribute in dictionary.attribute_table}
    assert used | {0} == set(range(len(strings))), "a string that is not there, or not used"


def stacks_of(dictionary):
    """Names, the innermost frame first."""
    names = []
    for location in dictionary.location_table:
        functions = [dictionary.function_table[line.function_index] for line in location.lines]
        names.append([dictionary.string_table[function.name_strindex] for function in functions])
    return [[name for i in stack.location_indices for name in names[i]]
            for stack in dictionary.stack_table]


data = parse(ProfilesData())
assert parse(ExportProfilesServiceRequest()).resource_profiles == data.resource_profiles
[resource] = data.resource_profiles
[scope] = resource.scope_profiles
assert [attribute.key for attribute in resource.resource.attributes] == ["service.name"]
check_dictionary(data.dictionary, scope.profiles)
profiles = {data.dictionary.string_table[p.sample_type.type_strindex]: p for p in scope.profiles}
assert len(profiles) == len(scope.profiles), "two profiles of one type"
comment = data.dictionary.attribute_table[profiles["calls"].attribute_indices[0]]
assert comment.value.array_value.values[0].string_value, "no summary"
assert not any(p.period_type.type_strindex for p in scope.profiles), "an exact count has no period"

stacks = stacks_of(data.dictionary)
unit = os.environ["WI_UNIT"]
functions = {}
for kind, profile in ((0, profiles[VALUES.get(unit, unit)]), (2, profiles["calls"])):
    for sample in profile.samples:
        stack, [value] = stacks[sample.stack_index], sample.values
        assert stack and value > 0
        functions.setdefault(stack[0], [0, 0, 0])[kind] += value
        for name in set(stack) if kind == 0 else ():
            functions.setdefault(name, [0, 0, 0])[1] += value
print_functions(functions)
