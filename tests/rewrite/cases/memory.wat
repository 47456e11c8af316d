;; options: --embed --memory
;; What memory profiles put into allocators and behind what takes memory.
(module
  (type $point (struct (field i32) (field (ref null $point))))
  (type $words (array (mut i32)))
  (memory 1)
  (func $malloc (param i32) (result i32)
    (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
    (drop (memory.grow (i32.const 1)))
    (i32.const 16))
  (func $free (param i32))
  (func $make (export "make") (param i32)
    (call $free (call $malloc (local.get 0)))
    (drop (struct.new_default $point))
    (drop (array.new_default $words (local.get 0)))
    (drop (array.new_fixed $words 2 (i32.const 1) (i32.const 2)))))
