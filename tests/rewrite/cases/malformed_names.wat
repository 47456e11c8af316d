;; A malformed name section costs the names, nothing else.
(module
  (func (export "f"))
  (@custom "name" (after data) "\01\05\02\00\01f"))
