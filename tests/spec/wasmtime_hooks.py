"""The hooks over an exact shadow stack, as hooks.mjs has them, but in WebAssembly for speed.

wasmtime does not show the call stack to a host, so only the balance is checked here: each frame is
closed by the instance that opened it, and perf_unwind asks for no frames that do not exist. Where
not all functions have hooks ("partial"), those without drop the frames of others as well.
"""

import struct

from wasmtime import Global, GlobalType, Val, ValType

from wasmtime_engine import instantiate_text

I32 = ValType.i32()
FAULTS = [
    "perf_end closes a frame that is not there or of another instance",
    "perf_depth in a frame that is not there or of another instance",
    "perf_unwind to a frame that is not there or of another instance",
    "the clock of a module goes back",
]

# Each frame is the number of the instance that opened it. Faults are counted from one.
STACK = """(module
  (memory (export "frames") 64)
  (global (export "depth") (mut i32) (i32.const 0))
  (global (export "events") (mut i32) (i32.const 0))
  (global (export "ticks") (mut i64) (i64.const 0))
  (global (export "fault") (mut i32) (i32.const 0)))"""

HOOKS = """(module
  (import "stack" "frames" (memory 64))
  (import "stack" "depth" (global $depth (mut i32)))
  (import "stack" "events" (global $events (mut i32)))
  (import "stack" "ticks" (global $ticks (mut i64)))
  (import "stack" "fault" (global $fault (mut i32)))
  (import "stack" "owner" (global $owner i32))
  (import "stack" "partial" (global $partial i32))
  (global $clock (mut i64) (i64.const 0))

  (func $check_depth (param $fault i32)
    (if (global.get $partial)
      (then (global.set $events (i32.add (global.get $events) (i32.const 1))))
      (else (call $check (local.get $fault)))))

  (func $check (param $fault i32)
    (global.set $events (i32.add (global.get $events) (i32.const 1)))
    (if (global.get $depth)
      (then
        (if (i32.eq (global.get $owner)
                    (i32.load (i32.shl (i32.sub (global.get $depth) (i32.const 1)) (i32.const 2))))
          (then (return)))))
    (if (i32.eqz (global.get $fault))
      (then (global.set $fault (local.get $fault)))))

  (func $start (export "perf_start") (param $func i32)
    (global.set $events (i32.add (global.get $events) (i32.const 1)))
    (i32.store (i32.shl (global.get $depth) (i32.const 2)) (global.get $owner))
    (global.set $depth (i32.add (global.get $depth) (i32.const 1))))

  (func $end (export "perf_end")
    (call $check (i32.const 1))
    (if (global.get $depth)
      (then (global.set $depth (i32.sub (global.get $depth) (i32.const 1))))))

  (func (export "perf_depth") (result i32)
    (call $check_depth (i32.const 2))
    (global.get $depth))

  (func $unwind (export "perf_unwind") (param $depth i32)
    (if (i32.gt_u (local.get $depth) (global.get $depth))
      (then (global.set $fault (i32.const 3)))
      (else (global.set $depth (local.get $depth))))
    (call $check_depth (i32.const 3)))

  (func $tick (param $now i64)
    (if (i64.lt_u (local.get $now) (global.get $clock))
      (then (global.set $fault (i32.const 4))))
    (global.set $ticks
      (i64.add (global.get $ticks) (i64.sub (local.get $now) (global.get $clock))))
    (global.set $clock (local.get $now)))

  (func (export "perf_start_at") (param $func i32) (param $now i64)
    (call $tick (local.get $now))
    (call $start (local.get $func)))
  (func (export "perf_end_at") (param $now i64)
    (call $tick (local.get $now))
    (call $end))
  (func (export "perf_unwind_at") (param $depth i32) (param $now i64)
    (call $tick (local.get $now))
    (call $unwind (local.get $depth)))
  (func (export "perf_flush")))"""


def read_embedded(store, exports):
    """The .wperf file that an instance of the embedded form keeps."""
    size = exports["wasm_perf_profile"](store)
    words = [exports["wasm_perf_read"](store, offset) for offset in range(0, size, 8)]
    return struct.pack(f"<{len(words)}q", *words)[:size]


class ShadowStack:
    def __init__(self, store, partial):
        self.store = store
        self.partial = self._constant(int(partial))
        self.stack = instantiate_text(store, STACK)
        self.owners = 0
        self.embedded = []  # instances with their profile inside: exports, and the slot at rest

    def hooks(self):
        """The import namespace of one instance."""
        self.owners += 1
        owner = self._constant(self.owners)
        shared = [self.stack[name] for name in ("frames", "depth", "events", "ticks", "fault")]
        return instantiate_text(self.store, HOOKS, *shared, owner, self.partial)

    def attach(self, exports):
        """To be called with the exports of every instance."""
        if "wasm_perf_slot" in exports:
            self.embedded.append((exports, exports["wasm_perf_slot"](self.store)))

    def _constant(self, value):
        return Global(self.store, GlobalType(I32, mutable=False), Val.i32(value))

    @property
    def depth(self):
        return self.stack["depth"].value(self.store)

    @property
    def events(self):
        return self.stack["events"].value(self.store) & 0xFFFFFFFF

    @property
    def ticks(self):
        return self.stack["ticks"].value(self.store)

    def unwind(self, depth):
        """What a host does with the frames that a trap or an exception left open."""
        self.stack["depth"].set_value(self.store, Val.i32(depth))
        for exports, root in self.embedded:
            exports["wasm_perf_set_slot"](self.store, root)

    def is_open(self, called):
        """Whether frames are open, or the slot of the instance with these exports is another."""
        own = [root for exports, root in self.embedded if exports is called]
        at_rest = not own or called["wasm_perf_slot"](self.store) == own[0]
        return self.depth > 0 or not at_rest

    def take_fault(self):
        """The first broken promise since the last call, or None."""
        fault = self.stack["fault"].value(self.store)
        if not fault:
            return None
        self.stack["fault"].set_value(self.store, Val.i32(0))
        return FAULTS[fault - 1]
