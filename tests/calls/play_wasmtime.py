"""The host of play.mjs in wasmtime, which puts slots back ("manual") or does not ("none"):
{environment, files, script, mode, fuel} -> {lines, profiles in base 64}."""

import base64
import sys
from ctypes import byref
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "spec"))

import wasmtime
from wasmtime import Func, FuncType, Trap, ValType, WasmtimeError
from wasmtime import _ffi as ffi

from wasmtime_engine import new_engine, serve
from wasmtime_hooks import read_embedded
from wasmtime_values import KIND

ENGINE = new_engine()
I32, FUNCREF = ValType.i32(), ValType.funcref()
HOST_TYPES = {
    "h0": FuncType([I32], [I32]),
    "h1": FuncType([I32], [I32]),
    "v": FuncType([], []),
    "take": FuncType([FUNCREF], [FUNCREF]),
}


class HostError(Exception):
    """What the host throws. No module can catch it."""


class Diverged(Exception):
    """The program does something else than its script says."""


class Player:
    def __init__(self, job):
        self.script, self.mode, self.fuel = job["script"], job["mode"], job["fuel"]
        self.files = job["files"]
        self.store = wasmtime.Store(ENGINE)
        self.actions = iter(self.script["actions"])
        self.lines = []
        self.instances = []  # exports
        self.held = []
        self.host_held = set(self.script["hostHeld"])
        self.env = self._instance(job["environment"], {})
        self.host = {
            name: Func(self.store, kind, lambda *args, name=name: self._serve(name, args))
            for name, kind in HOST_TYPES.items()
        }

    def _instance(self, file, namespaces):
        module = wasmtime.Module.from_file(ENGINE, file)
        imports = [namespaces[wanted.module][wanted.name] for wanted in module.imports]
        return wasmtime.Instance(self.store, module, imports).exports(self.store)

    def run(self):
        while True:
            self.env["fuel"].set_value(self.store, self.fuel)
            action = next(self.actions)
            if action[0] == "end":
                return
            if self._act(action):
                raise Diverged(action)

    def _act(self, action):
        """Does it, or gives it back where it is not one of those."""
        known = {"instantiate": self._instantiate, "call": self._call, "read": self._read, "write": self._write}
        if action[0] not in known:
            return action
        known[action[0]](*action[1:])
        return None

    # ---- References

    def _hold(self, func):
        func = func and self._copy(func._func)
        self.held.append(func)
        if func is None:
            return "null"
        if len(self.held) - 1 in self.host_held:
            return "host"
        return "function"  # which one it is cannot be told

    @staticmethod
    def _copy(raw):
        """A function that outlives the values that it came with; None for null."""
        return Func._from_raw(type(raw).from_buffer_copy(raw)) if raw.store_id else None

    def _place(self, index, number):
        exports = self.instances[index]
        if number >= 0:
            return exports[f"g{number}"]
        shared = self.script["modules"][index]["table"]["kind"] == "shared"
        return self.env["table"] if shared else exports["table"]

    def _read(self, index, number, element):
        place = self._place(index, number)
        found = place.value(self.store) if number >= 0 else place.get(self.store, element)
        self.lines.append(self._hold(found if isinstance(found, Func) else None))

    def _write(self, index, number, element, held):
        place = self._place(index, number)
        func = None if held < 0 else self.held[held]
        if number >= 0:
            place.set_value(self.store, wasmtime.Val.funcref(func))
        else:
            place.set(self.store, element, wasmtime.Val.funcref(func))

    # ---- Instances and calls

    def _slots(self):
        if self.mode != "manual":
            return []
        own = [exports for exports in self.instances if exports and "wasm_perf_slot" in exports]
        return [(exports, exports["wasm_perf_slot"](self.store)) for exports in own]

    def _put_back(self, slots):
        for exports, slot in slots:
            exports["wasm_perf_set_slot"](self.store, slot)

    def _instantiate(self, index):
        names = {f"m{i}": exports for i, exports in enumerate(self.instances)}
        slots = self._slots()
        try:
            exports = self._instance(self.files[index], {"env": self.env, "host": self.host, **names})
        except (Trap, WasmtimeError, HostError) as error:
            self._put_back(slots)
            self.lines.append(f"instance {index}: {self._describe(error)}")
            self.instances.append(None)
            return
        self.instances.append(exports)
        self.lines.append(f"instance {index}")
        for func in self.script["modules"][index]["exports"]:
            self.held.append(exports[f"f{func}"])

    def _call(self, held, argument, passes):
        func = self.held[held]
        kind = func.type(self.store)
        slots = self._slots()
        try:
            result = func(self.store, *[argument][: len(kind.params)])
            is_number = kind.results and kind.results[0] == I32
            self.lines.append(str(result) if is_number else self._hold(result) if kind.results else "done")
        except (Trap, WasmtimeError, HostError) as error:
            self._put_back(slots)
            described = self._describe(error)
            self.lines.append(described)
            if passes:
                raise HostError() if described.startswith("exception") else error

    def _describe(self, error):
        exception = ffi.wasmtime_exnref_t()
        context = self.store._context()
        if ffi.wasmtime_context_take_exception(context, byref(exception)):
            field = ffi.wasmtime_val_t()
            ffi.wasmtime_exnref_field(context, byref(exception), 0, byref(field))
            if field.kind == KIND["i32"]:
                return f"exception 0: {field.of.i32}"
            return f"exception 1: {self._hold(self._copy(field.of.funcref))}"
        if isinstance(error, HostError):
            return "error"
        return "trap: " + str(error).strip().splitlines()[-1] if isinstance(error, Trap) else str(error)

    def _serve(self, name, args):
        """A function of the host's: actions until it returns or throws."""
        shown = self._hold(args[0]) if name == "take" else args[0] if args else "undefined"
        self.lines.append(f"{name}: {shown}")
        action = None
        while not action:
            action = self._act(next(self.actions))
        if action[0] == "give":
            return None if action[1] < 0 else self.held[action[1]]
        if action[0] == "return":
            return None if name == "v" else action[1]
        raise HostError() if action[0] == "throw" else Diverged(name)


def run(job):
    player = Player(job)
    try:
        player.run()
    except Exception as error:  # pylint: disable=broad-except
        player.lines.append(f"the program does something else: {error!r}")
    profiles = [
        base64.b64encode(read_embedded(player.store, exports)).decode()
        if exports and "wasm_perf_profile" in exports
        else None
        for exports in player.instances
    ]
    return {"lines": player.lines, "profiles": profiles}


serve(run)
