(module
  (type $t (;0;) (struct (field i32)))
  (type $u (;1;) (sub (struct (field i32))))
  (type (;2;) (func (param (ref null $t)) (result (ref null $t))))
  (type (;3;) (func (param (ref null $t)) (result (ref $t))))
  (type (;4;) (func (param anyref) (result (ref $t))))
  (type (;5;) (func (param anyref) (result anyref)))
  (type (;6;) (func (param i32) (result i32)))
  (type (;7;) (func (param i32)))
  (type (;8;) (func))
  (import "wasm_perf" "perf_start" (func $perf_start (;0;) (type 7)))
  (import "wasm_perf" "perf_end" (func $perf_end (;1;) (type 8)))
  (func $on_null (;2;) (type 2) (param (ref null $t)) (result (ref null $t))
    i32.const 2
    call $perf_start
    block (result (ref null $t)) ;; label = @1
      ref.null $t
      local.get 0
      br_on_null 0 (;@1;)
      drop
      drop
      ref.null $t
    end
    call $perf_end
  )
  (func $on_non_null (;3;) (type 3) (param (ref null $t)) (result (ref $t))
    i32.const 3
    call $perf_start
    block (result (ref $t)) ;; label = @1
      local.get 0
      br_on_non_null 0 (;@1;)
      unreachable
    end
    call $perf_end
  )
  (func $on_cast (;4;) (type 4) (param anyref) (result (ref $t))
    i32.const 4
    call $perf_start
    block (result (ref $t)) ;; label = @1
      local.get 0
      br_on_cast 0 (;@1;) anyref (ref $t)
      drop
      unreachable
    end
    call $perf_end
  )
  (func $on_cast_fail (;5;) (type 5) (param anyref) (result anyref)
    i32.const 5
    call $perf_start
    block (result anyref) ;; label = @1
      local.get 0
      br_on_cast_fail 0 (;@1;) anyref (ref $t)
    end
    call $perf_end
  )
  (func $non_nullable_local (;6;) (type 6) (param i32) (result i32)
    (local $l (ref $t))
    i32.const 6
    call $perf_start
    block (result i32) ;; label = @1
      i32.const 3
      struct.new $t
      local.set $l
      i32.const 9
      local.get 0
      br_if 0 (;@1;)
      drop
      local.get $l
      struct.get $t 0
    end
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\00\02\05\05 min-instructions=0 skip-leaves=0")
)
