// Compiles the programs of this folder into one module.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const programs = join(import.meta.dirname, 'programs');

function call(command, args) {
  const { status, stderr } = spawnSync(command, args);
  assert.equal(status, 0, `${command}: ${stderr}`);
}

/** The module's path, NAME.wasm in the folder. */
export function compile(folder, name, target, flags) {
  const objects = ['first.c', 'second.c', 'third.cc'].map((source) => {
    const object = join(folder, `${name}-${source}.o`);
    call(process.env.WI_CLANG, [`--target=${target}`, '-c', join(programs, source), '-o', object,
                                '-ffunction-sections', '-fno-exceptions', '-fno-rtti', ...flags]);
    return object;
  });
  const module = join(folder, `${name}.wasm`);
  const wide = target === 'wasm64' ? ['-mwasm64'] : [];
  call(process.env.WI_WASM_LD, ['--no-entry', '--export=run', '--export=measure', '--allow-undefined',
                                '--gc-sections', ...wide, ...objects, '-o', module]);
  return module;
}
