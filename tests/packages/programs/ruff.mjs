import { format } from '@wasm-fmt/ruff_fmt/node';
console.log(format('def f( x ):\n  return {"a":x,\'b\' : [1,2 ]}\n'));
