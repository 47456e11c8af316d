;; Wide arithmetic and custom page sizes, which not every engine has yet.
(module
  (memory 0 (pagesize 1))
  (func $wide (param i64 i64) (result i64 i64)
    (i64.mul_wide_u (local.get 0) (local.get 1))
    (br_if 0 (i32.const 1)))
  (func $sum (result i64 i64)
    (i64.add128 (i64.const 1) (i64.const 2) (i64.const 3) (i64.const 4))))
