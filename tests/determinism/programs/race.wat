;; Two threads that wait for each other at a lock, each for as long as the other one holds it.
(module
  (import "host" "memory" (memory 1 1 shared))
  (func $lock (loop $again (br_if $again (i32.atomic.rmw.cmpxchg (i32.const 0) (i32.const 0) (i32.const 1)))))
  (func $unlock (i32.atomic.store (i32.const 0) (i32.const 0)))
  (func (export "work") (param $rounds i32)
    (loop $next
      (call $lock)
      (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 1)))
      (call $unlock)
      (br_if $next (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1)))))))
