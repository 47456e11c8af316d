// node keeps_ruby.mjs MODULE COUNT SIZE: a Ruby script that keeps so many strings.
import { readFileSync } from 'node:fs';

import { importPackage } from '../../support/tools.mjs';

const [, , modulePath, count, size] = process.argv;
const { DefaultRubyVM } = await importPackage('@ruby/wasm-wasi/dist/node');
const { vm } = await DefaultRubyVM(await WebAssembly.compile(readFileSync(modulePath)));
vm.eval(`$kept = Array.new(${count}) { |i| 'x' * ${size} }; GC.start`);
