;; options: --inline --clock hybrid
(module
  (tag $e)
  (func $throws (param i32)
    (br_if 0 (i32.eqz (local.get 0)))
    (throw $e))
  (func $catches (export "catches") (param i32) (result i32)
    (block $caught
      (try_table (catch $e $caught)
        (call $throws (local.get 0)))
      (return (i32.const 0)))
    (i32.const 1)))
