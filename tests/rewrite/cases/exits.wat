;; Every way out of a function that is not conditional, and functions without one.
(module
  (func $falls_through nop)
  (func $returns (param i32) (result i32)
    (if (local.get 0) (then (return (i32.const 1))))
    (i32.const 2))
  (func $branches_out (result i32)
    (block (br 1 (i32.const 7)))
    unreachable)
  (func $branches_inside (block (br 0)))
  (func $dead_code (result i32)
    (return (i32.const 1))
    (return (i32.const 2)))
  (func $traps unreachable)
  (func $loops (param i32)
    (loop $again
      (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
      (br_if $again (local.get 0))))
  (func $calls (call $falls_through) (drop (call $branches_out))))
