// A Ruby script; with a second argument, profiled into that file.
import { readFileSync } from 'node:fs';

import { importPackage } from '../support/tools.mjs';
import { profileModule } from './profiled.mjs';
import { repeatableWasi } from './repeatable.mjs';

const [, , modulePath, profilePath] = process.argv;
const bytes = readFileSync(modulePath);

const { instantiate } = WebAssembly;
const isRuntime = (module) =>
  WebAssembly.Module.exports(module).some(({ name }) => name === 'perf_profile');
WebAssembly.instantiate = async (module, { wasi_snapshot_preview1: wasi, ...imports }) => {
  let instance;
  // The profiler keeps the real clock.
  if (isRuntime(module)) return instantiate(module, { wasi_snapshot_preview1: wasi, ...imports });
  const functions = { ...wasi, ...repeatableWasi(() => instance.exports.memory) };
  instance = await instantiate(module, { ...imports, wasi_snapshot_preview1: functions });
  return instance;
};
const finish = profilePath && (await profileModule(bytes, profilePath));

const { DefaultRubyVM } = await importPackage('@ruby/wasm-wasi/dist/node');
const { vm } = await DefaultRubyVM(await WebAssembly.compile(bytes));
vm.eval(`
  require 'json'
  primes = (2..2000).select { |n| (2..Math.sqrt(n)).none? { |d| (n % d).zero? } }
  begin
    raise ArgumentError, 'caught'
  rescue => e
    puts e.message
  end
  puts JSON.generate(count: primes.size, last: primes.last(3), words: %w[c a b].sort)
  $stdout.flush
`);
if (finish) finish();
