// The loop by which the cost of a hooked call is measured.

// Two callees in turn, so that a runtime cannot live on the child it saw last.
const body = (name) =>
  `(func $${name} (param i32) (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (local.get 0))))`;

/** Text of a module: `run` makes as many calls as its argument says; `more` is put behind it. */
export const calls = (more = '') => `(module
  (memory (export "memory") 1)
  ${body('even')}
  ${body('odd')}
  (func $run (export "run") (param i32)
    (loop $again
      (call $even (local.get 0))
      (call $odd (local.get 0))
      (local.set 0 (i32.sub (local.get 0) (i32.const 2)))
      (br_if $again (i32.gt_s (local.get 0) (i32.const 0)))))
  ${more})`;
