#!/usr/bin/env python3
"""Prints what an OTLP file says beside its numbers, as JSON: service, profiles, mappings, types of frames."""

import json
import os
import pathlib
import sys

sys.path.append(os.environ.get("WI_PYTHON") or str(pathlib.Path.home() / ".cache/wasm-instrument/python"))
try:
    from opentelemetry.proto.profiles.v1development.profiles_pb2 import ProfilesData
except ImportError:
    print("the PyPI package opentelemetry-proto is not installed", file=sys.stderr)
    sys.exit(77)

data = ProfilesData()
data.ParseFromString(pathlib.Path(sys.argv[1]).read_bytes())
[resource] = data.resource_profiles
dictionary = data.dictionary
strings = dictionary.string_table


def attributes_of(item):
    attributes = [dictionary.attribute_table[i] for i in item.attribute_indices]
    return {strings[attribute.key_strindex]: attribute.value.string_value for attribute in attributes}


def function_of(location):
    return strings[dictionary.function_table[location.lines[0].function_index].name_strindex]


print(json.dumps({
    "service": {attribute.key: attribute.value.string_value for attribute in resource.resource.attributes},
    "profiles": [{"type": strings[profile.sample_type.type_strindex], "start": profile.time_unix_nano / 1e6,
                  "duration": profile.duration_nano / 1e6}
                 for scope in resource.scope_profiles for profile in scope.profiles],
    "mappings": [{"name": strings[mapping.filename_strindex], **attributes_of(mapping)}
                 for mapping in dictionary.mapping_table[1:]],
    "frames": {function_of(location): [strings[dictionary.mapping_table[location.mapping_index].filename_strindex],
                                       attributes_of(location).get("profile.frame.type")]
               for location in dictionary.location_table[1:]},
}))
