;; Catch clauses whose label is the function's, with frames to drop: the core suite catches within.

(module
  (tag $a (param i32))

  (func $deep (param $n i32)
    (if (i32.eqz (local.get $n))
      (then (throw $a (i32.const 40))))
    (call $deep (i32.sub (local.get $n) (i32.const 1))))

  (func $nothing)

  (func $to-function (param i32) (result i32)
    (try_table (result i32) (catch $a 0)
      (call $deep (local.get 0))
      (i32.const 1)))

  (func $all-to-function (param i32)
    (try_table (catch_all 0)
      (call $deep (local.get 0))))

  ;; A clause and a conditional branch to the function's label.
  (func $either-to-function (param i32) (result i32)
    (drop (br_if 0 (i32.const 7) (i32.eq (local.get 0) (i32.const 3))))
    (try_table (result i32) (catch $a 0)
      (call $deep (local.get 0))
      (i32.const 1)))

  ;; What runs after the landing pad opens frames of its own, which must not be under the lost ones.
  (func (export "to-function") (param i32) (result i32)
    (call $to-function (local.get 0))
    (call $nothing))

  (func (export "all-to-function") (param i32)
    (call $all-to-function (local.get 0))
    (call $nothing)
    (call $all-to-function (local.get 0)))

  (func (export "either-to-function") (param i32) (result i32)
    (call $either-to-function (local.get 0))
    (call $nothing))

  ;; A loop's label: each landing pad is the start of the next round.
  (func (export "to-loop") (param i32) (result i32)
    (loop $again
      (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
      (if (local.get 0)
        (then
          (try_table (catch_all $again)
            (call $deep (local.get 0))))))
    (call $nothing)
    (local.get 0)))

(assert_return (invoke "to-function" (i32.const 0)) (i32.const 40))
(assert_return (invoke "to-function" (i32.const 9)) (i32.const 40))
(assert_return (invoke "all-to-function" (i32.const 5)))
(assert_return (invoke "either-to-function" (i32.const 3)) (i32.const 7))
(assert_return (invoke "either-to-function" (i32.const 4)) (i32.const 40))
(assert_return (invoke "to-loop" (i32.const 6)) (i32.const 0))
