/**
 * Runs a Python program in Pyodide.
 *
 *     run_python.mjs PACKAGE PROGRAM ARGUMENT...
 */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , folder, ...paths] = process.argv;
const { loadPyodide } = await import(pathToFileURL(join(folder, 'pyodide.mjs')));
const python = await loadPyodide({ indexURL: folder });
const names = paths.map((path) => basename(path));
paths.filter((path) => path.endsWith('.py')).forEach((path) => python.FS.writeFile(basename(path), readFileSync(path)));
python.globals.set('words', names);
python.runPython('import sys\nsys.argv = words.to_py()');
python.runPython(readFileSync(paths[0], 'utf8'));
