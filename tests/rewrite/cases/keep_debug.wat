;; options: --keep-debug
(module
  (@custom ".debug_info" (after data) "x")
  (@custom "sourceMappingURL" (after data) "\01x")
  (@custom "build_id" (after data) "\01x")
  (func))
