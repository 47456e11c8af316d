;; try_table clauses: the landing pad is wherever the clause's label continues.
(module
  (tag $e (param i32))
  (func $throws (throw $e (i32.const 1)))
  (func $to_block (result i32)
    (block $h (result i32)
      (try_table (catch $e $h) (call $throws))
      (i32.const 0)))
  (func $to_loop (param i32)
    (block $done
      (loop $again (param) (br_if $done (local.get 0))
        (try_table (catch_all $again) (call $throws)))))
  (func $to_loop_with_parameter
    (i32.const 5)
    (loop $again (param i32)
      drop
      (try_table (catch $e $again) (call $throws))))
  (func $to_function (result i32)
    (try_table (catch $e 0) (call $throws))
    (i32.const 4))
  (func $to_if (param i32) (result exnref)
    (if $h (result exnref) (local.get 0)
      (then (try_table (catch_all_ref $h) (call $throws)) (ref.null exn))
      (else (ref.null exn))))
  (func $with_reference
    (block $h (result i32 exnref)
      (try_table (catch_ref $e $h) (call $throws))
      (return))
    throw_ref)
  (func $both_landing_pads_once (result i32)
    (block $h (result i32)
      (try_table (catch $e $h) (call $throws))
      (try_table (catch $e $h) (call $throws))
      (i32.const 0))))
