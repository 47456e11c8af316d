(module
  (type $f (;0;) (func))
  (type (;1;) (func (result funcref)))
  (type (;2;) (func (param i32)))
  (type (;3;) (func))
  (import "env" "imported" (func $imported (;0;) (type $f)))
  (import "wasm_perf" "perf_start" (func $perf_start (;1;) (type 2)))
  (import "wasm_perf" "perf_end" (func $perf_end (;2;) (type 3)))
  (table $t0 (;0;) 4 funcref)
  (table $t1 (;1;) 4 funcref)
  (table $t2 (;2;) 4 (ref $f) ref.func $a)
  (global $g (;0;) funcref ref.func $b)
  (global $h (;1;) (ref $f) ref.func $imported)
  (export "a" (func $a))
  (elem (;0;) (i32.const 0) func $a $imported)
  (elem (;1;) func $b)
  (elem (;2;) (table $t1) (i32.const 1) func $a $b)
  (elem (;3;) declare func $c)
  (elem (;4;) (i32.const 0) funcref (ref.func $a) (ref.null func))
  (elem (;5;) funcref (ref.func $b) (ref.func $imported))
  (elem (;6;) (table $t1) (i32.const 1) funcref (ref.func $c))
  (elem (;7;) declare funcref (ref.func $b))
  (elem (;8;) (ref $f) (ref.func $a))
  (func $a (;3;) (type $f)
    i32.const 3
    call $perf_start
    call $perf_end
  )
  (func $b (;4;) (type $f)
    i32.const 4
    call $perf_start
    call $perf_end
  )
  (func $c (;5;) (type 1) (result funcref)
    i32.const 5
    call $perf_start
    ref.func $a
    drop
    ref.func $c
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\01\02\03\03 min-instructions=0 skip-leaves=0")
)
