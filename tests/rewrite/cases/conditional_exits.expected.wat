(module
  (type $pair (;0;) (func (result i32 i64)))
  (type (;1;) (func (param i32)))
  (type (;2;) (func (param i32) (result f64)))
  (type (;3;) (func (param i32) (result i32 i64)))
  (type (;4;) (func (param i32) (result i32 i32 i32)))
  (type (;5;) (func (param i32 i32) (result i32 i32 i32)))
  (type (;6;) (func (param i32) (result i32)))
  (type (;7;) (func (result i32 i32 i32)))
  (type (;8;) (func (param i32)))
  (type (;9;) (func))
  (import "wasm_perf" "perf_start" (func $perf_start (;0;) (type 8)))
  (import "wasm_perf" "perf_end" (func $perf_end (;1;) (type 9)))
  (func $no_result (;2;) (type 1) (param i32)
    i32.const 2
    call $perf_start
    block ;; label = @1
      local.get 0
      br_if 0 (;@1;)
      nop
    end
    call $perf_end
  )
  (func $one_result (;3;) (type 2) (param i32) (result f64)
    i32.const 3
    call $perf_start
    block (result f64) ;; label = @1
      f64.const 0x1p+0 (;=1;)
      local.get 0
      br_if 0 (;@1;)
      drop
      f64.const 0x1p+1 (;=2;)
    end
    call $perf_end
  )
  (func $known_pair (;4;) (type 3) (param i32) (result i32 i64)
    i32.const 4
    call $perf_start
    block (type $pair) (result i32 i64) ;; label = @1
      i32.const 1
      i64.const 2
      local.get 0
      br_if 0 (;@1;)
    end
    call $perf_end
  )
  (func $new_triple (;5;) (type 4) (param i32) (result i32 i32 i32)
    i32.const 5
    call $perf_start
    block (type 7) (result i32 i32 i32) ;; label = @1
      i32.const 1
      i32.const 2
      i32.const 3
      local.get 0
      br_if 0 (;@1;)
    end
    call $perf_end
  )
  (func $same_triple (;6;) (type 5) (param i32 i32) (result i32 i32 i32)
    i32.const 6
    call $perf_start
    block (type 7) (result i32 i32 i32) ;; label = @1
      i32.const 1
      i32.const 2
      i32.const 3
      local.get 1
      br_if 0 (;@1;)
    end
    call $perf_end
  )
  (func $unwrapped_pair (;7;) (type $pair) (result i32 i64)
    i32.const 7
    call $perf_start
    i32.const 1
    i64.const 2
    call $perf_end
  )
  (func $table (;8;) (type 1) (param i32)
    i32.const 8
    call $perf_start
    block ;; label = @1
      block $a
        block $b
          local.get 0
          br_table $a $b 2 (;@1;)
        end
      end
    end
    call $perf_end
  )
  (func $mixed (;9;) (type 6) (param i32) (result i32)
    i32.const 9
    call $perf_start
    block (result i32) ;; label = @1
      i32.const 1
      local.get 0
      br_if 0 (;@1;)
      drop
      local.get 0
      if ;; label = @2
        i32.const 2
        call $perf_end
        return
      end
      i32.const 3
      br 0 (;@1;)
    end
    call $perf_end
  )
  (func $nested (;10;) (type 1) (param i32)
    i32.const 10
    call $perf_start
    block ;; label = @1
      block ;; label = @2
        loop ;; label = @3
          local.get 0
          if ;; label = @4
            local.get 0
            br_if 3 (;@1;)
          end
        end
      end
    end
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\00\02\09\09 min-instructions=0 skip-leaves=0")
)
