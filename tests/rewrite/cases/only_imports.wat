;; Nothing to instrument: nothing is imported.
(module
  (import "env" "f" (func $f))
  (export "f" (func $f)))
