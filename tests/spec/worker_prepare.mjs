/**
 * Turns a .wast file into script.json: the commands that have a binary module or none, and for each
 * form, a list of options, and each binary what wasm-instrument made of it.
 * {wast, folder, wasmTools, wasmInstrument, forms} -> {commands, textOnly}, the number of each.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from './pool.mjs';

const SECONDS = 60;
const EMBED = '--embed';
const SINGLE = '--single-memory';

function run(program, args) {
  const result = spawnSync(program, args, { encoding: 'utf8', timeout: SECONDS * 1000 });
  const message = (result.stderr ?? '').trim() || String(result.error ?? '');
  return { status: result.status, signal: result.signal, message };
}

/** What wasm-instrument did: {file}, {refused: its message} or {crashed: how}. */
function instrument({ wasmInstrument, folder }, options, file, suffix) {
  const output = file.replace(/\.wasm$/, suffix);
  const paths = [join(folder, file), '-o', join(folder, output)];
  const result = run(wasmInstrument, ['-q', ...options, ...paths]);
  if (result.status === 0) return { file: output };
  if (result.status === 1) return { refused: result.message };
  return { crashed: `${result.signal ?? `exit status ${result.status}`}: ${result.message}` };
}

/** The embedded form comes with the linked form of the same module, to which it is compared. */
function rewrite(job, form, options, file) {
  const made = instrument(job, options, file, `.${form}.wasm`);
  if (!options.includes(EMBED)) return made;
  const others = options.filter((option) => option !== EMBED && option !== SINGLE);
  const clock = others.some((option) => option.startsWith('--clock')) ? [] : ['--clock=none'];
  return { ...made, linked: instrument(job, [...others, ...clock], file, `.${form}.linked.wasm`) };
}

/** A form with one memory is for modules that keep it to themselves; others have two. */
function rewriteAll(job, form, files) {
  const twoMemories = job.forms[form].filter((option) => option !== SINGLE);
  const made = files.map((file) => [file, rewrite(job, form, job.forms[form], file)]);
  const isShared = made.some(([, { refused }]) => refused?.includes('imports its memory'));
  return made.map(([file, module]) => {
    const isImpossible = isShared || module.refused?.includes(`${SINGLE} is impossible`);
    return [file, isImpossible ? rewrite(job, form, twoMemories, file) : module];
  });
}

/** A module in the text format becomes a binary; text that is no module is not for us to test. */
function toBinary(command, folder, wasmTools) {
  if (!command.filename?.endsWith('.wat')) return command;
  const filename = command.filename.replace(/\.wat$/, '.wasm');
  const parsed = run(wasmTools, [
    'parse',
    join(folder, command.filename),
    '-o',
    join(folder, filename),
  ]);
  return parsed.status === 0 ? { ...command, filename } : null;
}

/** Legacy exceptions in folded form are WABT's only. Returns what went wrong, if anything did. */
function toJson(wast, json, folder, wasmTools) {
  const first = run(wasmTools, ['json-from-wast', wast, '-o', json, '--wasm-dir', folder]);
  if (first.status === 0) return null;
  const second = run('wast2json', ['--enable-all', wast, '-o', json]);
  return second.status === 0 ? null : first.message;
}

serve((job) => {
  const { wast, folder, wasmTools } = job;
  mkdirSync(folder, { recursive: true });
  const json = join(folder, 'wast.json');
  const error = toJson(wast, json, folder, wasmTools);
  if (error) return { error };
  const all = JSON.parse(readFileSync(json, 'utf8')).commands;
  const isMalformedText = (c) => c.type === 'assert_malformed' && c.filename.endsWith('.wat');
  const commands = all
    .filter((command) => !isMalformedText(command))
    .map((command) => toBinary(command, folder, wasmTools));
  const files = new Set(commands.map((command) => command?.filename).filter(Boolean));
  const forms = job.forms.map((_, form) =>
    Object.fromEntries(rewriteAll(job, form, [...files])),
  );
  const kept = commands.filter(Boolean);
  writeFileSync(join(folder, 'script.json'), JSON.stringify({ commands: kept, forms }));
  return { commands: kept.length, textOnly: all.length - kept.length };
});
