(module
  (@producers (language "C" "11") (processed-by "clang" "14"))
  (func))
