(module
  (rec
    (type $node (;0;) (sub (struct (field (ref null $node)) (field (ref $f)))))
    (type $leaf (;1;) (sub final $node (struct (field (ref null $node)) (field (ref $f)) (field i8))))
    (type $f (;2;) (func (result i32)))
  )
  (type $funcs (;3;) (array (ref $f)))
  (type (;4;) (func (result i32)))
  (type (;5;) (func (param anyref) (result i32)))
  (type (;6;) (func (param i32)))
  (type (;7;) (func))
  (import "wasm_perf" "perf_start" (func $perf_start (;0;) (type 6)))
  (import "wasm_perf" "perf_end" (func $perf_end (;1;) (type 7)))
  (global $n (;0;) (ref $node) ref.null $node ref.func $one struct.new $node)
  (global $l (;1;) (ref $leaf) global.get $n ref.func $two i32.const 3 struct.new $leaf)
  (global $a (;2;) (ref $funcs) ref.func $one ref.func $two array.new_fixed $funcs 2)
  (export "use" (func $use))
  (func $one (;2;) (type $f) (result i32)
    i32.const 2
    call $perf_start
    i32.const 1
    call $perf_end
  )
  (func $two (;3;) (type $f) (result i32)
    i32.const 3
    call $perf_start
    i32.const 2
    call $perf_end
  )
  (func $use (;4;) (type 4) (result i32)
    i32.const 4
    call $perf_start
    global.get $a
    i32.const 0
    array.get $funcs
    call_ref $f
    global.get $l
    struct.get $leaf 1
    call_ref $f
    i32.add
    call $perf_end
  )
  (func $casts (;5;) (type 5) (param anyref) (result i32)
    i32.const 5
    call $perf_start
    block $is (result (ref $leaf))
      local.get 0
      br_on_cast $is anyref (ref $leaf)
      ref.cast (ref i31)
      i31.get_s
      call $perf_end
      return
    end
    struct.get_u $leaf 2
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\00\02\04\04 min-instructions=0 skip-leaves=0")
)
