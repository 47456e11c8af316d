(module $named
  (type $type (;0;) (func))
  (type (;1;) (func (param i32)))
  (type (;2;) (func (param i32)))
  (type (;3;) (func))
  (import "env" "imported" (func $imported (;0;) (type 1)))
  (import "wasm_perf" "perf_start" (func $perf_start (;1;) (type 2)))
  (import "wasm_perf" "perf_end" (func $perf_end (;2;) (type 3)))
  (table $table (;0;) 1 funcref)
  (memory $memory (;0;) 1)
  (tag $tag (;0;) (type $type))
  (global $global (;0;) i32 i32.const 0)
  (elem $elem (;0;) func)
  (func $plain (;3;) (type 1) (param $first i32)
    (local $second i64)
    i32.const 3
    call $perf_start
    block $outer
      loop $inner
        br $outer
      end
    end
    call $perf_end
  )
  (func $wrapped (;4;) (type 1) (param $flag i32)
    (local $other i64)
    i32.const 4
    call $perf_start
    block ;; label = @1
      block $block
        loop $loop
          local.get $flag
          br_if 2 (;@1;)
        end
      end
    end
    call $perf_end
  )
  (func (;5;) (type 1) (param $of_a_function_without_name i32)
    i32.const 5
    call $perf_start
    call $perf_end
  )
  (data $data (;0;) "")
  (@custom "wasm_instrument" (after data) "\01\051.0.0\04wall\09wasm_perf\01\02\03\03 min-instructions=0 skip-leaves=0")
)
