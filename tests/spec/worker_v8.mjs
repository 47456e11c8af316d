/**
 * Runs prepared scripts in this V8: {folder, form, partial, comparesSelf} -> the outcome of each
 * command. A form is a number, or null for the original. The embedded form runs beside the linked
 * form, and the trees of both are compared.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEmbedded } from '../js/embedded.mjs';
import { serve } from './pool.mjs';
import { Script } from './script.mjs';
import { findDifference, readNodes } from './trees.mjs';

const sha1 = (bytes) => createHash('sha1').update(bytes).digest('hex');
const isEmbedded = (instance) => instance?.exports.wasm_perf_profile;

/** As a script of one form; says where the trees begin to differ. */
class Pair {
  #linked;
  #embedded;
  #comparesSelf;

  constructor(linked, embedded, comparesSelf) {
    [this.#linked, this.#embedded, this.#comparesSelf] = [linked, embedded, comparesSelf];
  }

  run(command) {
    const { fault } = this.#linked.run(command);
    const result = this.#embedded.run(command);
    if (fault) return { ...result, fault: `linked: ${fault}` };
    return { ...result, fault: result.fault ?? this.#compare(this.#embedded.calledBy(command)) };
  }

  /** The trees of that instance. */
  #compare(i) {
    const [linked, embedded] = [this.#linked.kept[i], this.#embedded.kept[i]];
    if (!linked || !isEmbedded(embedded)) return undefined;
    const options = { comparesSelf: this.#comparesSelf };
    return findDifference(linked.tree, readNodes(embedded.exports), options) ?? undefined;
  }

  /** The trees of all instances: others may have been called on the way. */
  compareAll() {
    const differences = this.kept.map((_, i) => this.#compare(i));
    const found = differences.findIndex(Boolean);
    return found < 0 ? undefined : `at the end, instance ${found}: ${differences[found]}`;
  }

  get kept() {
    return this.#embedded.kept;
  }

  get events() {
    return this.#linked.events;
  }
}

function makeScript({ folder, form, partial, comparesSelf }, rewrites) {
  if (form === null) return new Script(folder, (file) => ({ file }), partial);
  const script = new Script(folder, (file) => rewrites[file], partial);
  if (!Object.values(rewrites).some(({ linked }) => linked)) return script;
  return new Pair(new Script(folder, (file) => rewrites[file].linked, partial), script, comparesSelf);
}

serve((job) => {
  const { commands, forms } = JSON.parse(readFileSync(join(job.folder, 'script.json'), 'utf8'));
  const script = makeScript(job, forms[job.form]);
  const outcomes = commands.map((command) => script.run(command));
  const last = outcomes.findLast(({ outcome }) => outcome !== undefined);
  if (last) last.fault ??= script.compareAll?.();
  const profiles = script.kept
    .filter(isEmbedded)
    .map(({ command, exports }) => [command, sha1(readEmbedded(exports))]);
  return { outcomes, profiles: Object.fromEntries(profiles), events: script.events };
});
