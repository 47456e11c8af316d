/** One case: a program, how its modules are instrumented, what hosts it, and what the oracle says of that. */
import { Random } from '../random/prng.mjs';
import { encodeModule } from './encode.mjs';
import { Oracle, TooLong } from './oracle.mjs';
import { makeProgram } from './program.mjs';

const TRIES = 100;
const MODES = { v8: ['guard', 'guard', 'manual', 'none'], wasmtime: ['manual', 'none'] };

/** How a module is instrumented: options for the command, and what the oracle has to know of them. */
function chooseForm(random, module) {
  const clock = random.pick(['none', 'instructions', 'sampled']);
  const options = ['--embed', `--clock=${clock}`];
  const form = { clock, excluded: new Set(), folds: false, hostCalls: false, isLimited: false };
  const first = module.imports.length;
  if (random.chance(25)) {
    options.push('--recursion=fold');
    form.folds = true;
  } else if (random.chance(15)) options.push('--recursion=full');
  if (random.chance(15)) {
    options.push(`--node-limit=${1 + random.below(8)}`);
    form.isLimited = true;
  }
  if (random.chance(15)) form.hostCalls = Boolean(options.push('--host-calls'));
  if (random.chance(10)) options.push('--lines');
  if (random.chance(30)) {
    for (let i = 0; i < module.functions.length; i++) if (random.chance(35)) form.excluded.add(first + i);
    options.push(...[...form.excluded].map((index) => `--exclude=@${index}`));
  } else if (random.chance(20)) options.push('--memory'); // hooks what allocates, excluded or not
  return { options, ...form };
}

/** Programs that run too long are made again. */
function attempt(random, engine, modes) {
  const isV8 = engine === 'v8';
  const suspends = isV8 && Boolean(WebAssembly.Suspending);
  const program = makeProgram(random, { suspends, isLegacy: isV8 });
  const mode = random.pick(modes);
  const modules = program.modules.map((module) => chooseForm(random, module));
  const config = { guards: mode === 'guard', restores: mode !== 'none', throws: isV8, tellsFunctions: isV8, suspends, modules };
  const oracle = new Oracle(program, random, config);
  oracle.run();
  return { program, mode, forms: modules, oracle };
}

/**
 * {files: bytes of the modules, options: of each, mode, script: for hosts, oracle}
 *
 * @param {string[]} [modes] those to choose from
 */
export function makeCase(seed, index, engine, modes = MODES[engine]) {
  for (let i = 0; i < TRIES; i++) {
    const random = new Random(seed, index, i);
    try {
      const { program, mode, forms, oracle } = attempt(random, engine, modes);
      const hostHeld = [...oracle.held.keys()].filter((held) => oracle.held[held]?.host);
      const modules = program.modules.map(({ table, exports }) => ({ table, exports }));
      const script = { actions: oracle.actions, hostHeld, modules };
      return { files: program.modules.map(encodeModule), options: forms.map(({ options }) => options), forms, mode, script, oracle };
    } catch (error) {
      if (!(error instanceof TooLong)) throw error;
    }
  }
  throw new Error(`case ${index}: no program ends`);
}
