/** Runs prepared scripts in this V8: {folder, variant, partial} -> the outcome of each command. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from './pool.mjs';
import { Script } from './script.mjs';

serve(({ folder, variant, partial }) => {
  const { commands, rewrites } = JSON.parse(readFileSync(join(folder, 'script.json'), 'utf8'));
  const fileOf = (file) => (variant === 'original' ? { file } : rewrites[file]);
  const script = new Script(folder, fileOf, partial);
  const outcomes = commands.map((command) => script.run(command));
  return { outcomes, events: script.events };
});
