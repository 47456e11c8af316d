;; options: --inline --clock none --host-calls
(module
  (import "env" "log" (func $log (param i32)))
  (memory (export "memory") 1)
  (global $total (mut i32) (i32.const 0))
  (func $leaf (param i32) (result i32)
    (i32.load (local.get 0)))
  (func $run (export "run") (param i32) (result i32)
    (if $named (i32.eqz (local.get 0))
      (then (return (i32.const -1))))
    (call $log (local.get 0))
    (global.set $total (call $leaf (local.get 0)))
    (global.get $total)))
