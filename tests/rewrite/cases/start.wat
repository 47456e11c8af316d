(module
  (func $unused)
  (func $init (global.set $g (i32.const 1)))
  (global $g (export "g") (mut i32) (i32.const 0))
  (start $init))
