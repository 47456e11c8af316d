"""Values of test scripts in wasmtime's C interface, shown as values.mjs shows them.

The Python interface loses the bits of NaNs and knows neither v128 nor the references of garbage
collection, so calls go to the C interface below it.
"""

import ctypes
from ctypes import byref

import wasmtime
from wasmtime import _ffi as ffi

from wasmtime_engine import instantiate_text

KINDS = ["i32", "i64", "f32", "f64", "v128", "funcref", "externref", "anyref", "exnref"]
KIND = {name: kind for kind, name in enumerate(KINDS)}
BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "f32": 32, "f64": 64}
NULLS = {
    "refnull": "anyref",
    "nullref": "anyref",
    "nullfuncref": "funcref",
    "nullexternref": "externref",
    "nullexnref": "exnref",
    "eqref": "anyref",
}

NO_FINALIZER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)()

CONVERTER = """(module
  (func (export "any") (param externref) (result anyref) (any.convert_extern (local.get 0)))
  (func (export "extern") (param anyref) (result externref) (extern.convert_any (local.get 0))))"""


def unsigned(text, bits):
    return int(text) & ((1 << bits) - 1)


def vector_bytes(lane_type, lanes):
    size = BITS[lane_type] // 8
    return b"".join(unsigned(lane, size * 8).to_bytes(size, "little") for lane in lanes)


def function_arity(store, func):
    """The number of parameters and results, also of types that Python has no names for."""
    type_ = ffi.wasmtime_func_type(store._context(), byref(func._func))
    try:
        return (
            ffi.wasm_functype_params(type_).contents.size,
            ffi.wasm_functype_results(type_).contents.size,
        )
    finally:
        ffi.wasm_functype_delete(type_)


class Values:
    """Makes and shows the values of one store."""

    def __init__(self, store):
        self.store = store
        self.converter = None

    def call_raw(self, func, args):
        """The raw results; raises Trap or WasmtimeError."""
        count = function_arity(self.store, func)[1]
        params = (ffi.wasmtime_val_t * len(args))(*args)
        results = (ffi.wasmtime_val_t * count)()
        trap = ctypes.POINTER(ffi.wasm_trap_t)()
        error = ffi.wasmtime_func_call(
            self.store._context(), byref(func._func), params, len(args), results, count, byref(trap)
        )
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)
        if trap:
            raise wasmtime.Trap._from_ptr(trap)
        return results

    def call(self, func, args):
        """Calls with a script's values; the results as text."""
        params = [self.make(arg) for arg in args]
        results = self.call_raw(func, params)
        shown = " ".join(self.show(value) for value in results)
        for value in [*params, *results]:
            ffi.wasmtime_val_unroot(byref(value))
        return shown

    def make(self, value):
        kind = value["type"]
        made = ffi.wasmtime_val_t(kind=KIND[NULLS.get(kind, kind)])
        if kind == "v128":
            lanes = vector_bytes(value["lane_type"], value["value"])
            made.of.v128 = (ctypes.c_uint8 * 16)(*lanes)
        elif kind in BITS:
            bits = unsigned(value["value"], BITS[kind])
            ctypes.memmove(byref(made.of), bits.to_bytes(8, "little"), 8)
        elif value["value"] != "null":
            return self._host_reference(kind, int(value["value"]))
        return made

    def _host_reference(self, kind, number):
        made = ffi.wasmtime_val_t(kind=KIND["externref"])
        # The number itself stands for the host's object, plus one because null is taken.
        if not ffi.wasmtime_externref_new(
            self.store._context(), number + 1, NO_FINALIZER, byref(made.of.externref)
        ):
            raise MemoryError("externref")
        return self._convert("any", made) if kind == "anyref" else made

    def _convert(self, name, value):
        self.converter = self.converter or instantiate_text(self.store, CONVERTER)
        return self.call_raw(self.converter[name], [value])[0]

    def show(self, value):
        kind = KINDS[value.kind]
        if kind == "v128":
            return f"v128:{int.from_bytes(bytes(value.of.v128), 'little'):032x}"
        if kind in BITS:
            data = ctypes.string_at(ctypes.addressof(value.of), BITS[kind] // 8)
            return f"{kind}:{data[::-1].hex()}"
        if getattr(value.of, kind).store_id == 0:
            return "null"
        return {
            "funcref": lambda _: "func",
            "exnref": lambda _: "exception",
            "externref": self._show_extern,
            "anyref": self._show_any,
        }[kind](value)

    def _show_extern(self, value):
        data = ffi.wasmtime_externref_data(self.store._context(), byref(value.of.externref))
        return f"host:{data - 1}" if data else "aggregate"

    def _show_any(self, value):
        context, reference = self.store._context(), byref(value.of.anyref)
        number = ctypes.c_uint32()
        if ffi.wasmtime_anyref_i31_get_u(context, reference, byref(number)):
            return f"number:{number.value}"
        if ffi.wasmtime_anyref_is_eqref(context, reference):
            return "aggregate"
        return self._show_extern(self._convert("extern", value))

    def take_exception(self):
        """The pending exception as text, or None."""
        exception = ffi.wasmtime_exnref_t()
        context = self.store._context()
        if not ffi.wasmtime_context_take_exception(context, byref(exception)):
            return None
        fields = []
        for i in range(ffi.wasmtime_exnref_field_count(context, byref(exception))):
            field = ffi.wasmtime_val_t()
            ffi.wasmtime_exnref_field(context, byref(exception), i, byref(field))
            fields.append(self.show(field))
        return f"exception({' '.join(fields)})"
