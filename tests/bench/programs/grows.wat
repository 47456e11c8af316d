;; Grows its memory page by page and writes to each, between turns of arithmetic.
(module
  (memory (export "memory") 1 20000)
  (func $grow (param $count i32)
    (loop $again
      (i32.store (i32.mul (memory.grow (i32.const 1)) (i32.const 65536)) (i32.const 1))
      (br_if $again (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))
  (func $add (param $count i32) (result i32) (local $sum i32)
    (loop $again
      (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 31)) (local.get $count)))
      (br_if $again (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
    (local.get $sum))
  (func (export "_start") (local $turns i32)
    (local.set $turns (i32.const 150))
    (loop $again
      (call $grow (i32.const 100))
      (i32.store (i32.const 0) (call $add (i32.const 1000000)))
      (br_if $again (local.tee $turns (i32.sub (local.get $turns) (i32.const 1)))))))
