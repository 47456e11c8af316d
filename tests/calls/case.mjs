/** One case: a program, how its modules are instrumented, what hosts it, and what the oracle says of that. */
import { Random } from '../random/prng.mjs';
import { encodeModule } from './encode.mjs';
import { callsOf } from './instance.mjs';
import { Oracle, TooLong } from './oracle.mjs';
import { makeProgram } from './program.mjs';

const TRIES = 100;
const MODES = { v8: ['guard', 'guard', 'manual', 'none'], wasmtime: ['manual', 'none'] };

/** Which functions have no hooks: options for the command, which are added. */
function exclude(random, module, options) {
  const first = module.imports.length;
  if (random.chance(25)) {
    options.push('--skip-leaves=100000'); // all functions that call nothing, however long
    return new Set(callsOf(module).flatMap((calls, i) => (calls.length === 0 ? [first + i] : [])));
  }
  const excluded = module.functions.map((_, i) => first + i).filter(() => random.chance(35));
  options.push(...excluded.map((index) => `--exclude=@${index}`));
  return new Set(excluded);
}

/** With the runtime inside: options for the command, and what the oracle has to know of them. */
function chooseEmbedded(random, module) {
  const clock = random.pick(['none', 'instructions', 'sampled']);
  const options = ['--embed', `--clock=${clock}`];
  const form = { clock, excluded: new Set(), folds: false, hostCalls: false, isLimited: false };
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
  if (random.chance(35)) form.excluded = exclude(random, module, options);
  else if (random.chance(20)) options.push('--memory'); // hooks what allocates, excluded or not
  return { options, ...form };
}

/** With the runtime beside, which takes the rest of the options. */
function chooseLinked(random, module) {
  const clock = random.pick(['none', 'instructions', 'wall']);
  const options = [`--clock=${clock}`];
  const form = { isLinked: true, clock, excluded: new Set(), folds: random.chance(25), isLimited: random.chance(15) };
  form.runtime = { recursion: form.folds ? 'fold' : 'full', nodeLimit: form.isLimited ? 1 + random.below(8) : 0 };
  if (random.chance(35)) form.excluded = exclude(random, module, options);
  return { options, ...form };
}

/** Programs that run too long are made again. */
function attempt(random, engine, modes) {
  const isV8 = engine === 'v8';
  const suspends = isV8 && Boolean(WebAssembly.Suspending);
  const program = makeProgram(random, { suspends, isLegacy: isV8 });
  const mode = random.pick(modes);
  // Where the host puts slots back itself, it may do the same with stacks of runtimes.
  const mayLink = isV8 && mode === 'manual';
  const modules = program.modules.map((module) => (mayLink && random.chance(40) ? chooseLinked : chooseEmbedded)(random, module));
  const config = {
    guards: mode === 'guard',
    restores: mode !== 'none',
    throws: isV8,
    tellsFunctions: isV8,
    suspends: suspends && !modules.some(({ isLinked }) => isLinked), // a stack for each task is not theirs
    modules,
  };
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
      const modules = program.modules.map(({ table, exports }, i) => ({ table, exports, runtime: forms[i].runtime }));
      const script = { actions: oracle.actions, hostHeld, modules };
      return { files: program.modules.map(encodeModule), options: forms.map(({ options }) => options), forms, mode, script, oracle };
    } catch (error) {
      if (!(error instanceof TooLong)) throw error;
    }
  }
  throw new Error(`case ${index}: no program ends`);
}
