;; Hints stand at offsets in bodies that grow.
(module
  (import "env" "f" (func $f))
  (func $hinted (param i32)
    (call $f)
    (@metadata.code.branch_hint "\00") (if (local.get 0) (then (call $hinted (i32.const 0))))
    (@metadata.code.branch_hint "\01") (br_if 0 (local.get 0)))
  (func $not_hinted (param i32) (br_if 0 (local.get 0)))
  (func $plain (param i32)
    (@metadata.code.branch_hint "\01") (if (local.get 0) (then))))
