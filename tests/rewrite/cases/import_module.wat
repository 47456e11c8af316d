;; options: --import-module my_profiler --clock none --min-instructions 2
(module
  (func $one nop)
  (func $two nop nop))
