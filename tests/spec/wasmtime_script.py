"""One test script, run in wasmtime; the counterpart of script.mjs, with the same outcomes."""

import hashlib
import os

import wasmtime
from wasmtime import Trap, WasmtimeError

from wasmtime_engine import cause, describe_error, spectest
from wasmtime_hooks import ShadowStack, read_embedded
from wasmtime_values import KIND, Values

NO_MODULE = {"skip": "its module was not accepted"}


class Missing(Exception):
    """An import that nothing was registered for."""


class Script:
    def __init__(self, engine, folder, file_of, partial):
        self.folder = folder
        self.file_of = file_of  # script's file name -> {"file"}, {"refused"} or {"crashed"}
        self.store = wasmtime.Store(engine)
        self.values = Values(self.store)
        self.shadow = ShadowStack(self.store, partial)
        self.registry = {"spectest": spectest(self.store)}
        self.definitions = {}  # name -> compiled, "" for the last
        self.instances = {}  # name -> exports, "" for the last
        self.kept = []  # (number of its command, exports) of each instance
        self.command = 0

    def run(self, command):
        ticks = self.shadow.ticks
        self.command += 1
        result = self._execute(command)
        if result.get("outcome", "").startswith("exhausted"):
            self.kept = []  # what ran depends on the room that the engine gives to frames
        fault = self.shadow.take_fault()
        return {"fault": fault, **result, "ticks": self.shadow.ticks - ticks}

    def profiles(self):
        """A hash of the profile of each instance of the embedded form, by the number of its command."""
        return {
            command: hashlib.sha1(read_embedded(self.store, exports)).hexdigest()
            for command, exports in self.kept
            if "wasm_perf_profile" in exports
        }

    def _execute(self, command):
        kind = command["type"]
        if kind == "module":
            self.instances.pop("", None)  # also where it is rejected: what follows is about this one
            return self._define(command) or self._instantiate(command.get("name"), "")
        if kind in ("module_definition", "assert_malformed", "assert_invalid"):
            return self._define(command) or {"outcome": "accepted"}
        if kind == "module_instance":
            return self._instantiate(command["instance"], command.get("module") or "")
        if kind == "register":
            self.registry[command["as"]] = self.instances.get(command.get("name") or "", {})
            return {}
        if kind in ("assert_unlinkable", "assert_uninstantiable"):
            return self._attempt(command)
        action = command["action"]
        return self._get(action) if action["type"] == "get" else self._invoke(action)

    def _define(self, command):
        """Compiles into the definitions; returns the outcome only if that failed."""
        self.definitions.pop("", None)
        file = self.file_of(command["filename"])
        if "file" not in file:
            return {"outcome": f"refused: {file.get('refused')}"}
        try:
            with open(os.path.join(self.folder, file["file"]), "rb") as stream:
                module = wasmtime.Module(self.store.engine, stream.read())
        except WasmtimeError as error:
            return {"outcome": f"rejected: {cause(error)}"}
        self.definitions[""] = self.definitions[command.get("name") or ""] = module
        return None

    def _new_instance(self, module):
        namespaces = self.registry
        if any(wanted.module == "wasm_perf" for wanted in module.imports):
            namespaces = {**self.registry, "wasm_perf": self.shadow.hooks()}
        imports = []
        for wanted in module.imports:
            namespace = namespaces.get(wanted.module)
            if namespace is None or wanted.name not in namespace:
                raise Missing(f"{wanted.module} {wanted.name}")
            imports.append(namespace[wanted.name])
        exports = wasmtime.Instance(self.store, module, imports).exports(self.store)
        self.shadow.attach(exports)
        self.kept.append((self.command, exports))
        return exports

    def _instantiate(self, name, definition):
        self.instances.pop("", None)
        self.instances.pop(name, None)
        module = self.definitions.get(definition)
        if not module:
            return NO_MODULE

        def run():
            exports = self._new_instance(module)
            self.instances[""] = self.instances[name or ""] = exports
            return "instantiated"

        return self._guarded(run)

    def _attempt(self, command):
        """Instantiates without leaving anything behind for later commands."""
        before = self.definitions.get("")
        failure = self._define(command)
        module = self.definitions.get("")
        self.definitions[""] = before
        return failure or self._guarded(lambda: (self._new_instance(module), "instantiated")[1])

    def _guarded(self, run, exports=None):
        """Runs guest code. Frames are left open by what throws, and by nothing else."""
        try:
            result = {"outcome": run()}
            if self.shadow.is_open(exports):
                result["fault"] = "frames are open at the end"
            return result
        except Missing as error:
            return {"outcome": f"unlinkable: {error}"}
        except (Trap, WasmtimeError) as error:
            return {"outcome": describe_error(error, self.values)}
        finally:
            self.shadow.unwind(0)

    def _get(self, action):
        exports = self.instances.get(action.get("module") or "")
        if exports is None:
            return NO_MODULE
        value = exports[action["field"]].value(self.store)
        return {"outcome": self.values.show(wasmtime.Val(KIND["i32"], value)._new_raw(self.store))}

    def _invoke(self, action):
        exports = self.instances.get(action.get("module") or "")
        if exports is None:
            return NO_MODULE
        func = exports[action["field"]]
        return self._guarded(lambda: self.values.call(func, action["args"]), exports)
