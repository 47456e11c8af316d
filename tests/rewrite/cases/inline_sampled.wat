;; options: --clock sampled
(module
  (func $leaf (param i32) (result i32)
    (local.get 0))
  (func $run (export "run") (result i32)
    (call $leaf (i32.const 7))))
