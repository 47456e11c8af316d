;; What would be wrong is dropped with a warning, what is unknown passes.
(module
  (@custom "unknown" (before type) "kept")
  (@custom "metadata.code.call_targets" (before code) "\00")
  (@custom ".debug_info" (after data) "x")
  (@custom "sourceMappingURL" (after data) "\01x")
  (@custom "build_id" (after data) "\01x")
  (@custom "llvm.func_attr.annotate.hot" (after data) "\00\00\00\00\01\00\00\00")
  (@custom "target_features" (after data) "\01+\04simd")
  (import "env" "f" (func))
  (func (export "f")))
