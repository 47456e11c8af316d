"""Runs prepared scripts in wasmtime: {folder, form, partial} -> the outcome of each command. A form
is a number, or null for the original."""

import json
import os

from wasmtime_engine import new_engine, serve
from wasmtime_script import Script

ENGINE = new_engine()


def run(job):
    with open(os.path.join(job["folder"], "script.json"), encoding="utf-8") as stream:
        prepared = json.load(stream)
    form = job["form"]

    def file_of(name):
        return {"file": name} if form is None else prepared["forms"][form][name]

    script = Script(ENGINE, job["folder"], file_of, job["partial"])
    outcomes = [script.run(command) for command in prepared["commands"]]
    profiles = script.profiles()
    return {"outcomes": outcomes, "profiles": profiles, "events": script.shadow.events}


serve(run)
