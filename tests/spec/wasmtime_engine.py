"""What the wasmtime workers share: the engine, helper modules, outcomes as text."""

import functools
import json
import sys

import wasmtime
from wasmtime import Trap, TrapCode

# Proposals that this build may lack, or that would hide differences between runs.
LEFT_OUT = {
    "wasm_component_model",
    "wasm_component_model_map",
    "wasm_component_model_implements",
    "wasm_stack_switching",
    "wasm_relaxed_simd_deterministic",
}

SPECTEST = """(module
  (func (export "print"))
  (func (export "print_i32") (param i32))
  (func (export "print_i64") (param i64))
  (func (export "print_f32") (param f32))
  (func (export "print_f64") (param f64))
  (func (export "print_i32_f32") (param i32 f32))
  (func (export "print_f64_f64") (param f64 f64))
  (global (export "global_i32") i32 (i32.const 666))
  (global (export "global_i64") i64 (i64.const 666))
  (global (export "global_f32") f32 (f32.const 666.6))
  (global (export "global_f64") f64 (f64.const 666.6))
  (table (export "table") 10 20 funcref)
  (table (export "table64") i64 10 20 funcref)
  (memory (export "memory") 1 2))"""


def new_engine():
    config = wasmtime.Config()
    for name in dir(wasmtime.Config):
        if name.startswith("wasm_") and name not in LEFT_OUT:
            setattr(config, name, True)
    config.shared_memory = True
    config.cranelift_opt_level = "none"
    config.parallel_compilation = False
    return wasmtime.Engine(config)


@functools.cache
def compile_text(engine, text):
    return wasmtime.Module(engine, text)


def instantiate_text(store, text, *imports):
    """The exports of a helper module, which is compiled once for all stores."""
    module = compile_text(store.engine, text)
    return wasmtime.Instance(store, module, imports).exports(store)


def spectest(store):
    """The host module of the test scripts."""
    return instantiate_text(store, SPECTEST)


def first_line(error):
    return str(error).strip().splitlines()[0]


def cause(error):
    """What is at the bottom of an error, where nothing depends on the positions of code."""
    return str(error).strip().splitlines()[-1].strip()


def describe_error(error, values):
    exception = values.take_exception() if values else None
    if exception:
        return exception
    if not isinstance(error, Trap):
        return f"unlinkable: {first_line(error)}"
    code = error.trap_code
    if code == TrapCode.STACK_OVERFLOW:
        return "exhausted"
    return f"trap: {code.name if code else first_line(error)}"


def serve(handle):
    """Answers each job, one JSON text a line, until the input ends."""
    for line in sys.stdin:
        print(json.dumps(handle(json.loads(line))), flush=True)
