;; Conditional exits on references; non-nullable locals stay set where they are read.
(module
  (type $t (struct (field i32)))
  (type $u (sub (struct (field i32))))
  (func $on_null (param (ref null $t)) (result (ref null $t))
    (ref.null $t)
    (br_on_null 0 (local.get 0))
    drop drop
    (ref.null $t))
  (func $on_non_null (param (ref null $t)) (result (ref $t))
    (br_on_non_null 0 (local.get 0))
    unreachable)
  (func $on_cast (param anyref) (result (ref $t))
    (br_on_cast 0 anyref (ref $t) (local.get 0))
    drop
    unreachable)
  (func $on_cast_fail (param anyref) (result anyref)
    (br_on_cast_fail 0 anyref (ref $t) (local.get 0)))
  (func $non_nullable_local (param i32) (result i32)
    (local $l (ref $t))
    (local.set $l (struct.new $t (i32.const 3)))
    (br_if 0 (i32.const 9) (local.get 0))
    drop
    (struct.get $t 0 (local.get $l))))
