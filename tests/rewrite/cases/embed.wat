;; options: --embed --clock none
;; What is added to each section, and the hooks: a slot of a callee that has it alone, of an
;; indirect call, of an import; entries that share a slot, and leave it as they found it, which one
;; that calls nothing does anyhow.
(module
  (type $void (func))
  (import "env" "log" (func $log))
  (table 2 funcref)
  (elem (i32.const 0) $shared $leaf)
  (memory 1)
  (data $passive "abc")
  (func $alone (memory.init $passive (i32.const 0) (i32.const 0) (i32.const 0)))
  (func $shared (call $alone))
  (func $leaf (param i32) (br_if 0 (local.get 0)))
  (func $main (export "main") (param i32)
    (br_if 0 (local.get 0))
    (call $shared)
    (call_indirect (type $void) (i32.const 0))
    (call $log)
    (call $alone)))
