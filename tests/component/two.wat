;; Two core modules that call each other, a nested component with a third, and what ends at each level.
(component
  (core module $numbers
    (func $square (param i32) (result i32) (i32.mul (local.get 0) (local.get 0)))
    (func (export "sum") (param $n i32) (result i32)
      (if (result i32) (i32.eqz (local.get $n))
        (then (i32.const 0))
        (else (i32.add (call $square (local.get $n)) (call 1 (i32.sub (local.get $n) (i32.const 1))))))))
  (core instance $numbers (instantiate $numbers))
  (component $inner
    (core module $deep
      (func $leaf (result i32) (i32.const 7))
      (func (export "deep") (param i32) (result i32) (i32.add (call $leaf) (local.get 0))))
    (core instance $i (instantiate $deep))
    (func (export "deep") (param "n" u32) (result u32) (canon lift (core func $i "deep"))))
  (instance $inner (instantiate $inner))
  (core module $main
    (import "numbers" "sum" (func $sum (param i32) (result i32)))
    (memory 1)
    (global $calls (mut i32) (i32.const 0))
    (func $note (global.set $calls (i32.add (global.get $calls) (i32.const 1))))
    (func (export "run") (param i32) (result i32) (call $note) (call $sum (local.get 0))))
  (core instance $main (instantiate $main (with "numbers" (instance $numbers))))
  (func (export "run") (param "n" u32) (result u32) (canon lift (core func $main "run")))
  (func (export "deep") (param "n" u32) (result u32) (canon lift (core func $main "run")))
  (export "inner" (func $inner "deep"))
  (@custom "tail" "kept as it is"))
