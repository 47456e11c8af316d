;; options: --clock instructions --only hooked
;; A function without hooks counts all the same; what it executes is its caller's. Globals of the
;; module keep their indices.
(module
  (import "env" "imported" (global i64))
  (global $own (mut i32) (i32.const 5))
  (func $hooked (call $plain))
  (func $plain (param) (global.set $own (i32.const 6))))
