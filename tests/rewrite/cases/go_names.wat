;; A program of Go without names: they are read from the table that its runtime has in its data.
(module
  (import "go" "wait" (func))
  (memory 1)
  (table 4098 funcref)
  (elem (i32.const 4096) 1 2)
  (func call 2)
  (func call 0)
  (data (i32.const 1024) "\f1\ff\ff\ff\00\00\01\08\02\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00H\00\00\00\00\00\00\00\80\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\88\00\00\00\00\00\00\00")
  (data (i32.const 1096) "main.main\00main.(*T[int]).F\00")
  (data (i32.const 1160) "\00\10\00\00\18\00\00\00\01\10\00\00 \00\00\00\02\10\00\00\00\00\00\00\00\10\00\00\00\00\00\00\01\10\00\00\0a\00\00\00"))
