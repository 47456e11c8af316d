;; Labels keep their names where instructions are counted.
;; options: --clock instructions
(module
  (func $wrapped (param $flag i32)
    (block $block (loop $loop (br_if 2 (local.get $flag))))))
