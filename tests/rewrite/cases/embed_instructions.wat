;; options: --embed --clock instructions
;; What is pending is a constant until ways that differ meet; only then does a local count, and
;; branches add to it what their label does not expect.
(module
  (import "env" "host" (func $host))
  (func $static (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func $meets (param i32)
    (if (local.get 0) (then nop nop))
    (block $b (br_if $b (local.get 0)) nop))
  (func $loops (param i32)
    (loop $l (br_if $l (local.get 0)) (if (local.get 0) (then nop) (else (br $l)))))
  (func $table (param i32)
    (block $a (block $b (br_table $a $b 2 (local.get 0))) nop (br_if 1 (local.get 0))) (call $host))
  (tag $e)
  (func $catches (param i32)
    (block $h
      (try_table (catch_all $h) (call $host) (br_if $h (local.get 0)) nop (throw $e)))
    (call $host)))
