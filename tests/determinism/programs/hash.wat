;; Work that depends on a number of the host's.
(module
  (func $prepare (export "prepare") (nop))
  (func $hash_with (export "hash_with") (param $rounds i32) (result i32) (local $sum i32)
    (call $prepare)
    (loop $next
      (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 33)) (local.get $rounds)))
      (br_if $next (i32.gt_s (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1))) (i32.const 0))))
    (local.get $sum)))
