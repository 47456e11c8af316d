(module
  (type (;0;) (func (param i32)))
  (type (;1;) (func (param i32 i64)))
  (type (;2;) (func (param i64)))
  (import "wasm_perf" "perf_start_at" (func $perf_start_at (;0;) (type 1)))
  (import "wasm_perf" "perf_end_at" (func $perf_end_at (;1;) (type 2)))
  (global (;0;) (mut i64) i64.const 0)
  (func $wrapped (;2;) (type 0) (param $flag i32)
    (local i64)
    i32.const 2
    global.get 0
    local.tee 1
    call $perf_start_at
    block ;; label = @1
      block $block
        local.get 1
        i64.const 2
        i64.add
        local.set 1
        loop $loop
          local.get $flag
          local.get 1
          i64.const 2
          i64.add
          local.set 1
          br_if 2 (;@1;)
        end
      end
    end
    local.get 1
    global.set 0
    local.get 1
    call $perf_end_at
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\0cinstructions\09wasm_perf\00\02\01\01 min-instructions=0 skip-leaves=0")
)
