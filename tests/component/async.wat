;; A command of WASI 0.3, whose function run is lifted as an asynchronous one.
(component
  (core module $main
    (func $work (result i32) (i32.const 0))
    (func (export "[async-lift]wasi:cli/run@0.3.0#run") (result i32) (call $work))
    (func (export "[callback][async-lift]wasi:cli/run@0.3.0#run") (param i32 i32 i32) (result i32) (i32.const 0)))
  (core instance $i (instantiate $main))
  (func $run async (result (result)) (canon lift (core func $i "[async-lift]wasi:cli/run@0.3.0#run") async
    (callback (core func $i "[callback][async-lift]wasi:cli/run@0.3.0#run"))))
  (instance $exported (export "run" (func $run)))
  (export "wasi:cli/run@0.3.0" (instance $exported)))
