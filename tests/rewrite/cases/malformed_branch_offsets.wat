;; Offsets that do not increase cost the section.
(module
  (func $f (param i32) (br_if 0 (local.get 0)))
  (@custom "metadata.code.branch_hint" (before code) "\01\00\02\03\01\00\03\01\01"))
