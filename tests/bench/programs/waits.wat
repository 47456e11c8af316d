;; Waits a millisecond for what nobody does, between turns of arithmetic.
(module
  (memory (export "memory") 1 1 shared)
  (func $wait (param $count i32)
    (loop $again
      (drop (memory.atomic.wait32 (i32.const 8) (i32.const 0) (i64.const 1000000)))
      (br_if $again (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))
  (func $add (param $count i32) (result i32) (local $sum i32)
    (loop $again
      (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 31)) (local.get $count)))
      (br_if $again (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
    (local.get $sum))
  (func (export "_start") (local $turns i32)
    (local.set $turns (i32.const 100))
    (loop $again
      (call $wait (i32.const 5))
      (i32.store (i32.const 0) (call $add (i32.const 4000000)))
      (br_if $again (local.tee $turns (i32.sub (local.get $turns) (i32.const 1)))))))
