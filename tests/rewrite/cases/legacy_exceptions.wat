;; Frames that an exception skipped are dropped where it is caught.
(module
  (tag $e (param i32))
  (func $throws (throw $e (i32.const 1)))
  (func $catches (result i32)
    try (result i32)
      call $throws
      i32.const 0
    catch $e
    catch_all
      i32.const 2
    end)
  (func $delegates_to_function
    try
      call $throws
    delegate 0)
  (func $delegates_to_try
    try $outer
      try
        call $throws
      delegate $outer
    catch_all
    end)
  (func $rethrows
    try
      call $throws
    catch $e
      drop
      rethrow 0
    end)
  (func $leaves_from_catch (result i32)
    try
      call $throws
    catch $e
      return
    end
    i32.const 3)
  (func $branches_from_try (param i32)
    try
      local.get 0
      br_if 1
      call $throws
    catch_all
      br 1
    end))
