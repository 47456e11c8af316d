;; options: --only a* --only @4 --exclude /ar$/
;; Functions that are not chosen keep their code, but for the indices of what they call.
(module
  (import "env" "f" (func $f))
  (func $a (call $b))
  (func $b (call $a) (call $f))
  (func $ar)
  (func $by_index)
  (func (export "also_by_export")))
