// The cases of behaviour.test.mjs:
//   wat            the module
//   imports        its imports from "env", given {exports, raw}: exports as the host sees them,
//                  and as the instance has them
//   run            what is done with the exports; returns what must not change
//   options        more options for wasm-instrument
//   unwrapped      the host does not unwind the frames of a call that throws
//   tree           calls of each stack, siblings by name
//   embeddedTree   the same in the embedded form, where it differs
//   openFrames     frames that are open in the end
//   instructions   how many each function executes over all, counted by hand: every instruction
//                  but else, end, catch and delegate counts one each time it is reached

const attempt = (call) => {
  try {
    return call();
  } catch (error) {
    return error.constructor.name;
  }
};

export const cases = [
  {
    name: 'unconditional exits',
    wat: `(module
      (func $leaf)
      (func $f (export "f") (param i32) (result i32)
        (if (i32.eq (local.get 0) (i32.const 0)) (then (return (i32.const 10))))
        (call $leaf)
        (if (i32.eq (local.get 0) (i32.const 1)) (then (br 1 (i32.const 11))))
        (call $leaf)
        (i32.const 12)))`,
    run: ({ f }) => [f(0), f(1), f(2)],
    tree: `
      f 3
        leaf 3`,
    // f(0): get const eq if const return; f(1): get const eq if, call, get const eq if const br;
    // f(2): get const eq if, call, get const eq if, call, const
    instructions: { f: 6 + 11 + 11, leaf: 0 },
  },
  {
    name: 'conditional exits, taken and not',
    wat: `(module
      (func $leaf)
      (func $br_if (export "br_if") (param i32) (result i32)
        (br_if 0 (i32.const 1) (local.get 0)) drop (call $leaf) (i32.const 2))
      (func $br_table (export "br_table") (param i32) (result i32)
        (block $inner (result i32)
          (br_table $inner 1 $inner 1 (i32.const 7) (local.get 0)))
        (call $leaf)
        (i32.add (i32.const 1)))
      (func $nested (export "nested") (param i32)
        (block (loop (block (br_if 3 (local.get 0)))) (call $leaf))))`,
    run: ({ br_if, br_table, nested }) => [
      br_if(0), br_if(1),
      br_table(0), br_table(1), br_table(2), br_table(3), br_table(4),
      nested(0), nested(1),
    ],
    tree: `
      br_if 2
        leaf 1
      br_table 5
        leaf 2
      nested 2
        leaf 1`,
    // br_table: block const get br_table, and call const add where it stays inside; nested: block
    // loop block get br_if, and call where it falls through
    instructions: { br_if: 6 + 3, br_table: 5 * 4 + 2 * 3, nested: 6 + 5, leaf: 0 },
  },
  {
    name: 'conditional exits on references, non-nullable locals',
    wat: `(module
      (type $box (struct (field i32)))
      (func $leaf)
      (func $on_null (export "on_null") (param i32) (result i32)
        (local $l (ref $box))
        (i32.const 5)
        (br_on_null 0 (select (result (ref null $box)) (struct.new $box (i32.const 3)) (ref.null $box) (local.get 0)))
        (local.set $l) drop (call $leaf)
        (struct.get $box 0 (local.get $l)))
      (func $cast (param anyref) (result (ref null $box))
        (br_on_cast 0 anyref (ref null $box) (local.get 0))
        drop (call $leaf) (ref.null $box))
      (func (export "casts") (result i32)
        (i32.add
          (ref.is_null (call $cast (struct.new $box (i32.const 1))))
          (ref.is_null (call $cast (ref.i31 (i32.const 1)))))))`,
    run: ({ on_null, casts }) => [on_null(0), on_null(1), casts()],
    tree: `
      casts 1
        cast 2
          leaf 1
      on_null 2
        leaf 1`,
  },
  {
    name: 'several results',
    wat: `(module
      (func $leaf)
      (func $swap (export "swap") (param i32 i64) (result i64 i32)
        (local.get 1) (local.get 0)
        (br_if 0 (local.get 0))
        (call $leaf)
        (br 0)))`,
    run: ({ swap }) => [swap(0, 2n), swap(1, 2n)],
    tree: `
      swap 2
        leaf 1`,
  },
  {
    name: 'recursion',
    wat: `(module
      (func $fib (export "fib") (param i32) (result i32)
        (if (i32.lt_s (local.get 0) (i32.const 2)) (then (return (local.get 0))))
        (i32.add (call $fib (i32.sub (local.get 0) (i32.const 1)))
                 (call $fib (i32.sub (local.get 0) (i32.const 2))))))`,
    run: ({ fib }) => fib(5),
    tree: `
      fib 1
        fib 2
          fib 4
            fib 6
              fib 2`,
    // 8 of the 15 calls return at once: get const lt if get return; the others: get const lt if,
    // get const sub call, twice, and add
    instructions: { fib: 8 * 6 + 7 * 13 },
  },
  {
    name: 'tail calls: the callee takes the place of the caller',
    wat: `(module
      (type $f (func (param i32) (result i32)))
      (table funcref (elem $last))
      (elem declare func $last)
      (func $last (type $f) (local.get 0))
      (func $direct (type $f) (return_call $last (local.get 0)))
      (func $indirect (type $f) (return_call_indirect (type $f) (local.get 0) (i32.const 0)))
      (func $reference (type $f) (return_call_ref $f (local.get 0) (ref.func $last)))
      (func $conditional (type $f)
        (br_if 0 (i32.const 100) (i32.eqz (local.get 0))) drop
        (return_call $conditional (i32.sub (local.get 0) (i32.const 1))))
      (func $main (export "main") (result i32)
        (call $direct (i32.const 1))
        (call $indirect (i32.const 2))
        (call $reference (i32.const 4))
        (call $conditional (i32.const 3))
        i32.add i32.add i32.add))`,
    run: ({ main }) => main(),
    tree: `
      main 1
        conditional 4
        direct 1
        indirect 1
        last 3
        reference 1`,
    // conditional, 3 times: const get eqz br_if drop get const sub return_call; once: const get eqz br_if
    instructions: { main: 11, direct: 2, indirect: 3, reference: 3, last: 3, conditional: 3 * 9 + 4 },
  },
  {
    name: 'legacy exceptions drop the frames they skip',
    wat: `(module
      (tag $e (param i32))
      (func $after)
      (func $deep (param i32)
        (if (local.get 0) (then (call $deep (i32.sub (local.get 0) (i32.const 1)))) (else (throw $e (i32.const 7)))))
      (func $catch (export "catch") (result i32)
        try (result i32) i32.const 2 call $deep i32.const 0 catch $e end
        call $after)
      (func $catch_all (export "catch_all")
        try i32.const 0 call $deep catch_all call $after end
        call $after)
      (func $delegate
        try i32.const 0 call $deep delegate 0)
      (func $delegate_caller (export "delegate")
        try call $delegate catch_all call $after end)
      (func $rethrow
        try i32.const 0 call $deep catch $e drop call $after rethrow 0 end)
      (func $rethrow_caller (export "rethrow")
        try call $rethrow catch_all call $after end))`,
    run: (e) => [e.catch(), e.catch_all(), e.delegate(), e.rethrow()],
    tree: `
      catch 1
        after 1
        deep 1
          deep 1
            deep 1
      catch_all 1
        after 2
        deep 1
      delegate_caller 1
        after 1
        delegate 1
          deep 1
      rethrow_caller 1
        after 1
        rethrow 1
          after 1
          deep 1`,
    // deep throws: get if const throw; deep goes on: get if get const sub call. catch: try const
    // call, call; catch_all: try const call, call, call; delegate: try const call; its caller: try
    // call, call; rethrow: try const call, drop call rethrow; its caller: try call, call
    instructions: {
      deep: 4 * 4 + 2 * 6, after: 0, catch: 4, catch_all: 5, delegate: 3, delegate_caller: 3,
      rethrow: 6, rethrow_caller: 3,
    },
  },
  {
    name: 'exceptions land at blocks, loops and the function',
    wat: `(module
      (tag $e (param i32))
      (func $after)
      (func $throw (param i32) (throw $e (local.get 0)))
      (func $deep (param i32) (call $throw (local.get 0)))
      (func $to_block (export "to_block") (result i32)
        (block $h (result i32)
          (try_table (catch $e $h) (call $deep (i32.const 3)))
          (i32.const 0))
        (call $after))
      (func $to_loop (export "to_loop") (result i32) (local i32)
        (loop $again
          (local.set 0 (i32.add (local.get 0) (i32.const 1)))
          (call $after)
          (if (i32.lt_u (local.get 0) (i32.const 3))
            (then (try_table (catch_all $again) (call $deep (i32.const 4))))))
        (local.get 0))
      (func $to_function (result i32)
        (try_table (catch $e 0) (call $deep (i32.const 5)))
        (i32.const 0))
      (func $function_caller (export "to_function") (result i32)
        (call $to_function)
        (call $after))
      (func $with_reference (result i32)
        (block $h (result i32 exnref)
          (try_table (catch_ref $e $h) (call $deep (i32.const 6)))
          (return (i32.const 0)))
        (call $after)
        throw_ref)
      (func $reference_caller (export "with_reference") (result i32)
        (block $h (result i32)
          (try_table (result i32) (catch $e $h) (call $with_reference)))
        (call $after)))`,
    run: (e) => [e.to_block(), e.to_loop(), e.to_function(), e.with_reference()],
    tree: `
      function_caller 1
        after 1
        to_function 1
          deep 1
            throw 1
      reference_caller 1
        after 1
        with_reference 1
          after 1
          deep 1
            throw 1
      to_block 1
        after 1
        deep 1
          throw 1
      to_loop 1
        after 3
        deep 2
          throw 2`,
    // to_block: block try_table const call, call; to_loop: loop, 3 times get const add set call get
    // const lt if, twice try_table const call, get; to_function: try_table const call; its
    // caller: call call; with_reference: block try_table const call, call throw_ref; its
    // caller: block try_table call, call
    instructions: {
      throw: 5 * 2, deep: 5 * 2, after: 0, to_block: 5, to_loop: 1 + 3 * 9 + 2 * 3 + 1, to_function: 3,
      function_caller: 2, with_reference: 6, reference_caller: 4,
    },
  },
  {
    name: 'an import that swallows what was thrown through our frames',
    wat: `(module
      (import "env" "invoke" (func $invoke))
      (func $after)
      (func $inner (export "inner") (call $throws))
      (func $throws unreachable)
      (func $outer (export "outer") (call $invoke) (call $after))
      (func $outer_in_branch (export "outer_in_branch") (param i32) (result i32)
        (br_if 0 (i32.const 1) (local.get 0)) drop
        (call $invoke) (call $after) (i32.const 2)))`,
    // What an embedder does that knows nothing of profiling: no unwinding by the wrapper.
    imports: (context) => ({
      invoke: () => {
        attempt(() => context.raw.inner());
      },
    }),
    run(exports) {
      return [exports.outer(), exports.outer_in_branch(0), exports.outer_in_branch(1)];
    },
    unwrapped: true,
    tree: `
      outer 1
        after 1
        inner 1
          throws 1
      outer_in_branch 2
        after 1
        inner 1
          throws 1`,
  },
  {
    name: 'the host catches a trap and a throw, and goes on',
    wat: `(module
      (import "env" "fail" (func $fail))
      (func $traps (export "traps") unreachable)
      (func $calls_traps (export "calls_traps") (call $traps))
      (func $calls_fail (export "calls_fail") (call $fail))
      (func $forever (export "forever") (call $forever))
      (func $fine (export "fine") (result i32) (i32.const 1)))`,
    imports: () => ({
      fail() {
        throw new TypeError('from the host');
      },
    }),
    run: (e) => [attempt(e.calls_traps), attempt(e.calls_fail), e.fine(), attempt(e.traps), e.fine()],
    tree: `
      calls_fail 1
      calls_traps 1
        traps 1
      fine 2
      traps 1`,
  },
  {
    name: 'frames that a trap leaves open are counted',
    wat: `(module
      (func $traps unreachable)
      (func $calls_traps (export "calls_traps") (call $traps)))`,
    unwrapped: true,
    run: (e) => attempt(e.calls_traps),
    openFrames: 2,
    tree: `
      calls_traps 1
        traps 1`,
  },
  {
    name: 'the start function runs while the module is instantiated',
    wat: `(module
      (global $g (mut i32) (i32.const 0))
      (func $leaf (global.set $g (i32.const 42)))
      (func $init (call $leaf))
      (start $init)
      (func (export "get") (result i32) (global.get $g)))`,
    run: ({ get }) => get(),
    tree: `
      get 1
      init 1
        leaf 1`,
  },
  {
    name: 'functions reached through segments, globals, tables and constructors',
    wat: `(module
      (type $f (func (result i32)))
      (type $box (struct (field (ref $f))))
      (import "env" "host" (func $host (type $f)))
      (table $t0 8 funcref)
      (table $t1 8 funcref)
      (table $t2 1 (ref $f) (ref.func $g))
      (elem (i32.const 0) $a $b)
      (elem $passive func $c)
      (elem (table $t1) (i32.const 0) func $d)
      (elem (i32.const 2) funcref (ref.func $e) (ref.func $host))
      (elem $expressions funcref (ref.func $f))
      (elem (table $t1) (i32.const 1) funcref (ref.func $a))
      (global $global (ref $f) (ref.func $b))
      (global $boxed (ref $box) (struct.new $box (ref.func $c)))
      (func $a (type $f) (i32.const 1))
      (func $b (type $f) (i32.const 2))
      (func $c (type $f) (i32.const 4))
      (func $d (type $f) (i32.const 8))
      (func $e (type $f) (i32.const 16))
      (func $f (type $f) (i32.const 32))
      (func $g (type $f) (i32.const 64))
      (func $main (export "main") (result i32)
        (table.init $t0 $passive (i32.const 4) (i32.const 0) (i32.const 1))
        (table.init $t0 $expressions (i32.const 5) (i32.const 0) (i32.const 1))
        (table.set $t0 (i32.const 6) (ref.func $b))
        (call_indirect $t0 (type $f) (i32.const 0))
        (call_indirect $t0 (type $f) (i32.const 1)) i32.add
        (call_indirect $t0 (type $f) (i32.const 2)) i32.add
        (call_indirect $t0 (type $f) (i32.const 3)) i32.add
        (call_indirect $t0 (type $f) (i32.const 4)) i32.add
        (call_indirect $t0 (type $f) (i32.const 5)) i32.add
        (call_indirect $t0 (type $f) (i32.const 6)) i32.add
        (call_indirect $t1 (type $f) (i32.const 0)) i32.add
        (call_indirect $t1 (type $f) (i32.const 1)) i32.add
        (call_ref $f (table.get $t2 (i32.const 0))) i32.add
        (call_ref $f (global.get $global)) i32.add
        (call_ref $f (struct.get $box 0 (global.get $boxed))) i32.add))`,
    imports: () => ({ host: () => 1000 }),
    run: ({ main }) => main(),
    tree: `
      main 1
        a 2
        b 3
        c 2
        d 1
        e 1
        f 1
        g 1`,
  },
  {
    name: 'the host calls back',
    wat: `(module
      (import "env" "twice" (func $twice (param i32)))
      (func $leaf)
      (func $called (export "called") (param i32) (call $leaf))
      (func $main (export "main") (call $twice (i32.const 1)) (call $leaf)))`,
    imports: (context) => ({
      twice(value) {
        context.exports.called(value);
        context.exports.called(value);
      },
    }),
    run: ({ main }) => main(),
    tree: `
      main 1
        called 2
          leaf 2
        leaf 1`,
  },
  {
    name: 'host calls have frames of their own where they are wanted',
    options: ['--host-calls'],
    wat: `(module
      (import "env" "callback" (func $callback (result i32)))
      (import "env" "swallow" (func $swallow))
      (func $leaf)
      (func $called (export "called") (call $leaf))
      (func $throws (export "throws") unreachable)
      (func $main (export "main") (param i32) (result i32)
        (br_if 0 (call $callback) (local.get 0))
        (call $swallow)
        (call $leaf))
      (func $tail (export "tail") (result i32) (return_call $callback)))`,
    imports: (context) => ({
      callback() {
        context.raw.called();
        return 7;
      },
      swallow: () => void attempt(() => context.raw.throws()),
    }),
    run: ({ main, tail }) => [main(0), main(1), tail()],
    tree: `
      called 1
        leaf 1
      main 2
        env.callback 2
          called 2
            leaf 2
        env.swallow 1
          throws 1
        leaf 1
      tail 1`,
  },
  {
    name: 'functions without hooks drop the frames that an exception left behind',
    options: ['--exclude', 'plain_*'],
    wat: `(module
      (import "env" "swallow" (func $swallow))
      (tag $t (param i32))
      (tag $pair (param i32 i64))
      (func $throws_pair (throw $pair (i32.const 3) (i64.const 4)))
      (table funcref (elem $throws))
      (func $throws (export "throws") (throw $t (i32.const 5)))
      (func $plain_through (call $throws))
      (func $after)
      (func $plain_try_table
        (block $caught (result i32)
          (try_table (catch $t $caught) (call $plain_through))
          (i32.const 0))
        drop (call $after))
      (func $plain_to_function (param i32) (result i32)
        (try_table (result i32) (catch $t 0)
          (drop (br_if 1 (i32.const 1) (local.get 0)))
          (call_indirect (i32.const 0))
          (i32.const 2)))
      (func $plain_to_several (result i32 i64)
        (try_table (result i32 i64) (catch $pair 0)
          (call $throws_pair)
          unreachable))
      (func $plain_host (param i32)
        (br_if 0 (local.get 0))
        (call $swallow)
        (call $after))
      (func $main (export "main") (result i32)
        (call $plain_try_table)
        (call $after)
        (call $plain_to_function (i32.const 1))
        (call $plain_to_function (i32.const 0))
        (call $after)
        (i32.add)
        (call $plain_to_several) drop
        (call $after)
        (i32.add)
        (call $plain_host (i32.const 1))
        (call $plain_host (i32.const 0))
        (call $after)))`,
    imports: (context) => ({ swallow: () => void attempt(() => context.raw.throws()) }),
    run: ({ main }) => main(),
    tree: `
      main 1
        after 6
        throws 3
        throws_pair 1`,
    // The slot was taken when the host swallowed, and the caller of the last `after` sets none.
    embeddedTree: `
      after 1
      main 1
        after 5
        throws 3
        throws_pair 1`,
  },
  {
    name: 'functions without hooks drop frames in legacy handlers, too',
    options: ['--only', 'main', '--only', 'throws', '--only', 'after'],
    wat: `(module
      (tag $t)
      (func $throws (throw $t))
      (func $after)
      (func $plain try call $throws catch $t call $after end)
      (func $outer try call $throws catch_all call $plain end call $after)
      (func $main (export "main") (call $outer) (call $after)))`,
    run: ({ main }) => main(),
    tree: `
      main 1
        after 3
        throws 2`,
  },
  {
    name: 'leaves are left out where that is wanted',
    options: ['--skip-leaves', '3'],
    wat: `(module
      (func $short (result i32) (i32.const 1) (nop))
      (func $long (result i32) (nop) (nop) (i32.const 1))
      (func $calls (drop (call $short)))
      (func $main (export "main") (result i32)
        (call $calls)
        (i32.add (call $short) (call $long))))`,
    run: ({ main }) => main(),
    // What short executes counts for its callers.
    instructions: { main: 4 + 2, long: 3, calls: 2 + 2 },
    tree: `
      main 1
        calls 1
        long 1`,
  },
  {
    name: 'indirect calls and calls of references carry the count on',
    wat: `(module
      (type $t (func (param i32) (result i32)))
      (table funcref (elem $fib))
      (func $fib (export "fib") (type $t)
        (if (result i32) (i32.le_u (local.get 0) (i32.const 1))
          (then (i32.const 1))
          (else (i32.add
            (call_indirect (type $t) (i32.sub (local.get 0) (i32.const 2)) (i32.const 0))
            (call_ref $t (i32.sub (local.get 0) (i32.const 1)) (ref.func $fib)))))))`,
    run: ({ fib }) => fib(3),
    // fib(3) calls fib(1) and fib(2), which calls fib(0) and fib(1). At once: get const le if const;
    // otherwise: get const le if, get const sub const call, get const sub ref call, add
    instructions: { fib: 3 * 5 + 2 * 15 },
    tree: `
      fib 1
        fib 2
          fib 2`,
  },
  {
    name: 'data that is copied by hand, and its count',
    wat: `(module
      (memory 1)
      (data $text "abc")
      (func $copy (memory.init $text (i32.const 0) (i32.const 0) (i32.const 3)) (data.drop $text))
      (func $read (export "read") (param i32) (result i32)
        (if (i32.eqz (i32.load8_u (i32.const 0))) (then (call $copy)))
        (i32.load8_u (local.get 0))))`,
    run: ({ read }) => [read(0), read(1), read(2), read(3)],
    tree: `
      read 4
        copy 1`,
  },
  {
    name: 'memories of all kinds, the program’s own',
    wat: `(module
      (memory $small (export "small") 1)
      (memory $large (export "large") i64 1)
      (memory $shared 1 1 shared)
      (data (memory $large) (i64.const 8) "large")
      (func $grow (result i64) (memory.grow $large (i64.const 1)))
      (func $sizes (export "sizes") (result i32 i64 i32 i64)
        (i32.store8 $small (i32.const 7) (i32.load8_u $large (i64.const 8)))
        (memory.copy $small $small (i32.const 8) (i32.const 7) (i32.const 1))
        (i32.store $shared (i32.const 0) (i32.const 5))
        (memory.size $small) (call $grow) (i32.atomic.load $shared (i32.const 0))
        (memory.size $large)))`,
    run({ sizes, small, large }) {
      const numbers = sizes().map(Number);
      return [numbers, [...new Uint8Array(small.buffer, 7, 2)], large.buffer.byteLength];
    },
    tree: `
      sizes 1
        grow 1`,
  },
];
