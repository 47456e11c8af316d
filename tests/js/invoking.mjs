/** Like Emscripten's invoke_*: JavaScript calls a table's function, swallows what it throws and calls exports. */
export const invoking = (host) => `(module
  (import "${host}" "invoke" (func $invoke))
  (import "${host}" "throw" (func $throw))
  (table (export "table") 1 funcref)
  (elem (i32.const 0) $inner)
  (func $inner (export "inner") (call $deep))
  (func $deep (call $throw))
  (func $restore (export "restore"))
  (func $main (export "main") (call $invoke) (call $after))
  (func $after))`;
