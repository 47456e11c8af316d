;; options: --clock instructions
;; Runs of instructions are counted in a local; a global carries the count between functions.
(module
  (import "env" "host" (func $host))
  (func $leaf (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func $branches (param i32) (result i32)
    (br_if 0 (i32.const 1) (local.get 0)) drop
    (block $untargeted nop)
    (block $targeted (br_if $targeted (local.get 0)) (nop))
    (if (local.get 0) (then nop) (else (return (i32.const 2))))
    (loop $l (br_if $l (i32.const 0)))
    (call $leaf (i32.const 3)))
  (func $calls (call $host) (drop (call $leaf (i32.const 1))))
  (tag $e)
  (func $catches
    (block $h (try_table (catch_all $h) (call $host) (throw $e)))))
