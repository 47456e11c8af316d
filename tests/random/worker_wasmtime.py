"""Compares modules in wasmtime: {seed, partial, modules: [{index, file, instrumented}]} ->
their verdicts.

The counterpart of worker_v8.mjs and trace.mjs; imports are wasmtime's default values.
"""

import ctypes
import hashlib
import random
import sys
from ctypes import byref
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "spec"))

import wasmtime
from wasmtime import Func, Global, Memory, Table, Trap, WasmtimeError
from wasmtime import _ffi as ffi

from wasmtime_engine import cause, describe_error, new_engine, serve
from wasmtime_hooks import ShadowStack
from wasmtime_values import BITS, Values

ENGINE = new_engine()
FUNCTIONS_CALLED = 12
CALLS = 2
# Modules may ask for all the memory there is, and then all of it is compared.
MEMORY_SIZE = 1024 * 65536
TABLE_SIZE = 10000
INTEGERS = ["0", "1", "-1", "7", "100", "65536", "2147483647", "-2147483648"]
# Types are told by comparison, because asking for the kind of one that the C interface does not
# know ends the process.
TYPES = {
    "v128": ffi.wasmtime_wasm_valtype_v128(),
    **{
        name: ffi.wasm_valtype_new(kind)
        for name, kind in {
            "i32": 0,
            "i64": 1,
            "f32": 2,
            "f64": 3,
            "externref": 128,
            "funcref": 129,
        }.items()
    },
}


def type_name(type_):
    return next(
        (name for name, known in TYPES.items() if ffi.wasmtime_wasm_valtype_equal(type_, known)),
        "anyref",
    )


def random_value(name, choices):
    """A value as the test scripts write it; references are null."""
    if name == "v128":
        lanes = [str(choices.getrandbits(32)) for _ in range(4)]
        return {"type": name, "lane_type": "i32", "value": lanes}
    if name not in BITS:
        return {"type": name, "value": "null"}
    small = choices.random() < 0.7
    return {
        "type": name,
        "value": choices.choice(INTEGERS) if small else str(choices.getrandbits(64)),
    }


def new_store():
    store = wasmtime.Store(ENGINE)
    store.set_limits(memory_size=MEMORY_SIZE, table_elements=TABLE_SIZE)
    return store


class Tracer:
    def __init__(self, module, seed, partial, sizes):
        """`sizes`: of the original's memories, if the output's are larger."""
        self.module = module
        self.given = sizes
        self.sizes = []
        self.seed = seed
        self.partial = partial
        self.lines = []
        self.faults = []
        self.events = 0

    def run(self):
        store = new_store()
        exports = self._instantiate(store, self._shadow(store), Values(store))
        functions = [name for name, item in (exports or {}).items() if isinstance(item, Func)]
        for number, name in enumerate(functions[:FUNCTIONS_CALLED]):
            self._run_function(name, random.Random(f"{self.seed} {number}"))

    def _shadow(self, store):
        return ShadowStack(store, self.partial)

    def _run_function(self, name, choices):
        store = new_store()
        shadow, values = self._shadow(store), Values(store)
        exports = self._instantiate(store, shadow, values)
        for _ in range(CALLS):
            args = self._arguments(store, exports[name], choices)
            self._record(
                f"call {name}", shadow, values, lambda args=args: values.call(exports[name], args)
            )
        self.events += shadow.events
        for item_name, item in exports.items():
            self._state(store, values, item_name, item)

    def _instantiate(self, store, shadow, values):
        linker = wasmtime.Linker(ENGINE)
        linker.allow_shadowing = True
        if any(wanted.module == "wasm_perf" for wanted in self.module.imports):
            for name, hook in shadow.hooks().items():
                linker.define(store, "wasm_perf", name, hook)
        made = []

        def run():
            linker.define_unknown_imports_as_default_values(store, self.module)
            made.append(linker.instantiate(store, self.module).exports(store))
            shadow.attach(made[0])
            return "done"

        self._record("instantiate", shadow, values, run)
        # Not what hooks inlined export.
        return {name: item for name, item in made[0].items()
                if not name.startswith("wasm_perf_")} if made else None

    @staticmethod
    def _arguments(store, func, choices):
        type_ = ffi.wasmtime_func_type(store._context(), byref(func._func))
        params = ffi.wasm_functype_params(type_).contents
        names = [type_name(params.data[i]) for i in range(params.size)]
        ffi.wasm_functype_delete(type_)
        return [random_value(name, choices) for name in names]

    def _record(self, what, shadow, values, run):
        try:
            self.lines.append(f"{what}: {run()}")
            if shadow.is_open(None):
                self.faults.append(f"{what}: frames are open at the end")
        except (Trap, WasmtimeError) as error:
            self.lines.append(f"{what}: {describe_error(error, values)}")
        shadow.unwind(0)
        fault = shadow.take_fault()
        if fault:
            self.faults.append(f"{what}: {fault}")

    def _state(self, store, values, name, item):
        if isinstance(item, Memory):
            length = item.data_len(store)
            if self.given:
                length = min(length, self.given[len(self.sizes)])
            self.sizes.append(length)
            data = ctypes.string_at(item.data_ptr(store), length)
            self.lines.append(f"memory {name}: {length} {hashlib.sha1(data).hexdigest()}")
        elif isinstance(item, Global):
            value = ffi.wasmtime_val_t()
            ffi.wasmtime_global_get(store._context(), byref(item._global), byref(value))
            self.lines.append(f"global {name}: {values.show(value)}")
            ffi.wasmtime_val_unroot(byref(value))
        elif isinstance(item, Table):
            self.lines.append(
                f"table {name}: {item.size(store)} {self._elements(store, values, item)}"
            )

    @staticmethod
    def _elements(store, values, table):
        shown = []
        for i in range(table.size(store)):
            value = ffi.wasmtime_val_t()
            ffi.wasmtime_table_get(store._context(), byref(table._table), i, byref(value))
            shown.append(values.show(value))
            ffi.wasmtime_val_unroot(byref(value))
        return " ".join(shown)


def trace(file, seed, partial, sizes=None):
    """A tracer that has run, or the engine's message if it rejects the module."""
    with open(file, "rb") as stream:
        data = stream.read()
    try:
        module = wasmtime.Module(ENGINE, data)
    except WasmtimeError as error:
        return cause(error)
    tracer = Tracer(module, seed, partial, sizes)
    tracer.run()
    return tracer


def compare(before, after):
    """The verdict as compare.mjs gives it."""
    if isinstance(before, str):
        return {"verdict": "rejected", "detail": before}
    if isinstance(after, str):
        return {"verdict": "different", "detail": f"the engine rejects the output: {after}"}
    length = max(len(before.lines), len(after.lines))
    pairs = zip(
        before.lines + ["nothing"] * (length - len(before.lines)),
        after.lines + ["nothing"] * (length - len(after.lines)),
    )
    # Where the original has most of the memory there is, there is not enough for the profile.
    if after.given and max(before.sizes, default=0) > MEMORY_SIZE / 2:
        return {"verdict": "overflow"}
    for old, new in pairs:
        if ": exhausted" in old or ": exhausted" in new:
            return {"verdict": "overflow"}
        if old != new:
            return {"verdict": "different", "detail": f"original: {old}; instrumented: {new}"}
    if after.faults:
        return {"verdict": "different", "detail": f"hooks: {after.faults[0]}"}
    return {"verdict": "same"}


def compare_module(seed, module, partial):
    name = f"{seed} {module['index']}"
    before = trace(module["file"], name, partial)
    sizes = getattr(before, "sizes", None) if module.get("isSingle") else None
    after = trace(module["instrumented"], name, partial, sizes)
    counts = {
        "observations": len(getattr(before, "lines", [])),
        "events": getattr(after, "events", 0),
    }
    return {"index": module["index"], **compare(before, after), **counts}


def run(job):
    return [compare_module(job["seed"], module, job["partial"]) for module in job["modules"]]


serve(run)
