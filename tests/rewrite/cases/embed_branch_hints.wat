;; options: --embed --clock none
;; A function's own hints come after that of its hook, others have that one only.
(module
  (import "env" "f" (func $f))
  (func $hinted (export "hinted") (param i32)
    (call $f)
    block
      local.get 0
      (@metadata.code.branch_hint "\01") br_if 0
    end
    local.get 0
    (@metadata.code.branch_hint "\00") if
      call $other
    end)
  (func $other (call $f)))
