;; Of several sections of hints the first one counts, and one that names a function twice goes.
(module
  (func $f (param i32) (br_if 0 (local.get 0)))
  (@custom "metadata.code.branch_hint" (before code) "\02\00\01\03\01\00\00\01\03\01\01")
  (@custom "metadata.code.branch_hint" (before code) "\01\00\01\03\01\00"))
