/**
 * The programs beside this file, each of which uses an npm package that brings WebAssembly.
 *
 *     main.mjs FOLDER [OPTION...] [PROGRAM...]
 *
 * FOLDER has the packages in node_modules; the programs are copied there, so that they find them.
 */

import { cpSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runSideBySide } from '../support/side_by_side.mjs';

const source = join(import.meta.dirname, 'programs');
const [folder, ...rest] = process.argv.slice(2);
const options = rest.filter((argument) => argument.startsWith('-'));
const wanted = rest.filter((argument) => !argument.startsWith('-'));

cpSync(source, join(folder, 'programs'), { recursive: true });
const programs = readdirSync(source)
  .map((file) => ({ name: basename(file, '.mjs'), args: [join('programs', file)] }))
  .filter(({ name }) => wanted.length === 0 || wanted.includes(name));
process.exitCode = programs.length > 0 && runSideBySide(programs, folder, options) === 0 ? 0 : 1;
