;; The exception handling that Emscripten compiles to by default: try with catch, catch_all,
;; delegate and rethrow. The core suite has only try_table.

(module
  (tag $a (export "a") (param i32))
  (tag $b (param i64 f64))

  (func $throw_a (param i32)
    (throw $a (local.get 0)))

  ;; Throws out of `n` frames.
  (func $deep (param $n i32) (param $value i32)
    (if (i32.eqz (local.get $n))
      (then (throw $a (local.get $value))))
    (call $deep (i32.sub (local.get $n) (i32.const 1)) (local.get $value)))

  (func (export "catch") (param i32) (result i32)
    try (result i32)
      (call $throw_a (local.get 0))
      (i32.const -1)
    catch $a
    end)

  (func (export "catch-deep") (param i32) (result i32)
    try (result i32)
      (call $deep (local.get 0) (i32.const 7))
      (i32.const -1)
    catch $a
      (i32.add (local.get 0))
    end)

  (func (export "catch-several") (result i64 f64)
    try (result i64 f64)
      (throw $b (i64.const 5) (f64.const 1.5))
    catch $a
      (drop)
      (i64.const 0)
      (f64.const 0)
    catch $b
    end)

  (func (export "catch-all") (param i32) (result i32)
    try (result i32)
      (call $deep (local.get 0) (i32.const 1))
      (i32.const 0)
    catch_all
      (i32.const 9)
    end)

  (func (export "no-throw") (result i32)
    try (result i32)
      (i32.const 3)
    catch_all
      (i32.const 4)
    end)

  ;; A catch whose handler throws again, from frames of its own.
  (func (export "throw-in-catch") (result i32)
    try (result i32)
      try
        (call $deep (i32.const 2) (i32.const 3))
      catch $a
        (drop)
        (call $deep (i32.const 4) (i32.const 6))
      end
      (i32.const 0)
    catch $a
    end)

  (func $rethrows (param i32)
    try
      (call $deep (local.get 0) (i32.const 8))
    catch $a
      (drop)
      (rethrow 0)
    end)

  (func (export "rethrow") (param i32) (result i32)
    try (result i32)
      (call $rethrows (local.get 0))
      (i32.const 0)
    catch $a
    end)

  (func (export "rethrow-out") (param i32)
    (call $rethrows (local.get 0)))

  (func (export "delegate") (param i32) (result i32)
    try $outer (result i32)
      try (result i32)
        try (result i32)
          (call $deep (local.get 0) (i32.const 2))
          (i32.const 0)
        delegate $outer
      catch_all
        (i32.const -1)
      end
    catch $a
    end)

  ;; To the label of the function: the caller gets the exception.
  (func $delegates (param i32) (result i32)
    try (result i32)
      (call $deep (local.get 0) (i32.const 11))
      (i32.const 0)
    delegate 0)

  (func (export "delegate-to-caller") (param i32) (result i32)
    try (result i32)
      (call $delegates (local.get 0))
    catch $a
    end)

  ;; Also with a conditional branch to the function's label, for which the body is wrapped.
  (func $delegates-or-leaves (param i32) (result i32)
    (drop (br_if 0 (i32.const 21) (i32.eqz (local.get 0))))
    try (result i32)
      (call $deep (local.get 0) (i32.const 12))
      (i32.const 0)
    delegate 0)

  (func (export "delegate-from-wrapped") (param i32) (result i32)
    try (result i32)
      (call $delegates-or-leaves (local.get 0))
    catch $a
    end)

  ;; Out of try and catch by each kind of branch.
  (func (export "leave") (param i32) (result i32)
    try (result i32)
      (drop (br_if 1 (i32.const 1) (i32.eq (local.get 0) (i32.const 1))))
      (if (i32.eq (local.get 0) (i32.const 2))
        (then (return (i32.const 2))))
      (call $deep (local.get 0) (i32.const 30))
      (i32.const 0)
    catch $a
      (if (i32.eq (local.get 0) (i32.const 3))
        (then (return (i32.const 3))))
      (br_if 1 (i32.eq (local.get 0) (i32.const 4)))
      (i32.add (i32.const 1))
    end)

  (func (export "catch-in-loop") (param i32) (result i32)
    (local $caught i32)
    (loop $again
      try
        (call $deep (local.get 0) (i32.const 1))
      catch $a
        (local.set $caught (i32.add (local.get $caught)))
      end
      (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
      (br_if $again (local.get 0)))
    (local.get $caught))

  (func (export "uncaught") (param i32)
    (call $deep (local.get 0) (i32.const 5)))

  ;; A trap is no exception.
  (func $traps (unreachable))
  (func (export "trap-in-try")
    try
      (call $traps)
    catch_all
    end))

(assert_return (invoke "catch" (i32.const 4)) (i32.const 4))
(assert_return (invoke "catch-deep" (i32.const 0)) (i32.const 7))
(assert_return (invoke "catch-deep" (i32.const 20)) (i32.const 27))
(assert_return (invoke "catch-several") (i64.const 5) (f64.const 1.5))
(assert_return (invoke "catch-all" (i32.const 0)) (i32.const 9))
(assert_return (invoke "catch-all" (i32.const 5)) (i32.const 9))
(assert_return (invoke "no-throw") (i32.const 3))
(assert_return (invoke "throw-in-catch") (i32.const 6))
(assert_return (invoke "rethrow" (i32.const 3)) (i32.const 8))
(assert_exception (invoke "rethrow-out" (i32.const 3)))
(assert_return (invoke "delegate" (i32.const 3)) (i32.const 2))
(assert_return (invoke "delegate-to-caller" (i32.const 3)) (i32.const 11))
(assert_return (invoke "delegate-from-wrapped" (i32.const 0)) (i32.const 21))
(assert_return (invoke "delegate-from-wrapped" (i32.const 3)) (i32.const 12))
(assert_return (invoke "leave" (i32.const 1)) (i32.const 1))
(assert_return (invoke "leave" (i32.const 2)) (i32.const 2))
(assert_return (invoke "leave" (i32.const 3)) (i32.const 3))
(assert_return (invoke "leave" (i32.const 4)) (i32.const 30))
(assert_return (invoke "leave" (i32.const 5)) (i32.const 31))
(assert_return (invoke "catch-in-loop" (i32.const 6)) (i32.const 6))
(assert_exception (invoke "uncaught" (i32.const 3)))
(assert_trap (invoke "trap-in-try") "unreachable")
(assert_return (invoke "catch-deep" (i32.const 2)) (i32.const 9))
