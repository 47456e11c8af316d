;; The callee replaces the frame, so the hook stands before the call.
(module
  (type $f (func (param i32) (result i32)))
  (import "env" "host" (func $host (type $f)))
  (table funcref (elem $direct $indirect))
  (func $direct (type $f) (return_call $indirect (local.get 0)))
  (func $indirect (type $f) (return_call_indirect (type $f) (local.get 0) (i32.const 0)))
  (func $by_reference (param i32 (ref $f)) (result i32)
    (return_call_ref $f (local.get 0) (local.get 1)))
  (func $to_host (type $f) (return_call $host (local.get 0)))
  (func $conditional (param i32) (result i32)
    (br_if 0 (i32.const 1) (local.get 0))
    drop
    (return_call $direct (i32.const 2))))
