(module
  (@producers (language "C" "11"))
  (func))
