(module
  (type $arr (;0;) (array (mut i8)))
  (type (;1;) (func))
  (type (;2;) (func (param i32)))
  (type (;3;) (func (param i64) (result i64)))
  (type (;4;) (func (param i32)))
  (type (;5;) (func))
  (type (;6;) (func (result i32)))
  (import "env" "f" (func $f (;0;) (type 1)))
  (import "wasm_perf" "perf_start" (func $perf_start (;1;) (type 4)))
  (import "wasm_perf" "perf_end" (func $perf_end (;2;) (type 5)))
  (import "wasm_perf" "perf_depth" (func $perf_depth (;3;) (type 6)))
  (import "wasm_perf" "perf_unwind" (func $perf_unwind (;4;) (type 4)))
  (table $t (;0;) 1 funcref)
  (memory $m (;0;) 1)
  (memory $n (;1;) i64 1)
  (global $g (;0;) (mut i64) i64.const 0)
  (elem $e (;0;) func $f)
  (func $shapes (;5;) (type 2) (param i32)
    (local i32)
    i32.const 5
    call $perf_start
    call $perf_depth
    local.set 1
    i32.const -2147483648
    drop
    i64.const -9223372036854775808
    drop
    f32.const 0x1.0b0c0cp+0 (;=1.0431526;)
    drop
    f64.const 0x1.0b0c0d0e0f1p+0 (;=1.0431526336024604;)
    drop
    i32.const 0
    i32.load8_u offset=269488144
    drop
    i64.const 0
    i64.const 1
    i64.store $n offset=68988964880
    v128.const i32x4 0x100b100b 0x100b100b 0x100b100b 0x100b100b
    drop
    v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000
    v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000
    i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
    drop
    v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000
    i8x16.extract_lane_s 11
    drop
    i32.const 0
    v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000
    v128.load8_lane offset=16 11
    drop
    v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000
    v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000
    i16x8.relaxed_q15mulr_s
    drop
    i32.const 0
    i32.const 1
    i32.atomic.rmw.add offset=16
    drop
    atomic.fence
    i32.const 0
    i32.const 0
    i32.const 1
    memory.init $d
    data.drop $d
    i32.const 0
    i32.const 0
    i32.const 1
    memory.copy
    i32.const 0
    i32.const 0
    i32.const 1
    memory.fill
    i32.const 0
    i32.const 0
    i32.const 1
    table.init $e
    elem.drop $e
    ref.null func
    i32.const 11
    table.grow $t
    drop
    f32.const 0x0p+0 (;=0;)
    i32.trunc_sat_f32_s
    drop
    i64.const 1
    i64.const 2
    local.get 0
    select (result i64)
    drop
    ref.null extern
    ref.is_null
    drop
    i32.const 2
    array.new_default $arr
    i32.const 0
    i32.const 11
    i32.const 1
    array.fill $arr
    i32.const 0
    i32.const 0
    array.new_data $arr $d
    drop
    i32.const 16
    ref.i31
    ref.test (ref i31)
    drop
    i64.const 16
    local.get 0
    call_indirect (type 3)
    drop
    block ;; label = @1
      local.get 0
      br_table 0 (;@1;) 0 (;@1;) 0 (;@1;) 0 (;@1;)
    end
    call $f
    local.get 1
    call $perf_unwind
    call $last
    call $perf_end
  )
  (func $last (;6;) (type 1)
    i32.const 6
    call $perf_start
    call $perf_end
  )
  (data $d (;0;) "x")
  (@custom "wasm_instrument" (after data) "\01\051.0.0\04wall\09wasm_perf\01\04\02\02 min-instructions=0 skip-leaves=0")
)
