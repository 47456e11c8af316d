;; Moves 64 KiB and adds numbers in turn; the copies take most of the time and few instructions.
(module
  (memory (export "memory") 4)
  (func $copy (param $count i32)
    (loop $again
      (memory.copy (i32.const 65536) (i32.const 0) (i32.const 65536))
      (br_if $again (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))
  (func $add (param $count i32) (result i32) (local $sum i32)
    (loop $again
      (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 31)) (local.get $count)))
      (br_if $again (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
    (local.get $sum))
  (func (export "_start") (local $turns i32)
    (local.set $turns (i32.const 400))
    (loop $again
      (call $copy (i32.const 800))
      (i32.store (i32.const 0) (call $add (i32.const 400000)))
      (br_if $again (local.tee $turns (i32.sub (local.get $turns) (i32.const 1)))))))
