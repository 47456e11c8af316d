/**
 * Runs a Python program in Pyodide.
 *
 *     run_python.mjs PACKAGE PROGRAM [count]   count: prints last what sys.setprofile says: for each
 *                                              function and who called it, how often
 */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const COUNT = `
import sys
counts = {}
def key(code):
    return (code.co_qualname, code.co_filename, code.co_firstlineno)
def count(frame, event, arg):
    if event == 'call':
        edge = (key(frame.f_back.f_code), key(frame.f_code))
        counts[edge] = counts.get(edge, 0) + 1
sys.setprofile(count)
try:
    exec(program, space)
finally:
    sys.setprofile(None)
import json
print(json.dumps([[caller, callee, n] for (caller, callee), n in counts.items()]))
`;

const [, , folder, path, counts] = process.argv;
const { loadPyodide } = await import(pathToFileURL(join(folder, 'pyodide.mjs')));
const python = await loadPyodide({ indexURL: folder });
python.globals.set('source', readFileSync(path, 'utf8'));
python.globals.set('name', basename(path));
python.runPython(`program = compile(source, name, 'exec')\nspace = {'__name__': '__main__'}`);
python.runPython(counts ? COUNT : 'exec(program, space)');
