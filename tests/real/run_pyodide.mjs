// A Python script; with a second argument, profiled into that file.
import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { packageFile, temporaryFolder } from '../support/tools.mjs';
import { profileModule } from './profiled.mjs';
import './repeatable.mjs';

const SCRIPT = `
import json

class Word:
    def __init__(self, text):
        self.text = text

    def __lt__(self, other):
        return (len(self.text), self.text) < (len(other.text), other.text)

def words(text):
    yield from (Word(word) for word in text.split())

class Refused(Exception):
    pass

def check(n):
    if n % 7 == 0:
        raise Refused(n)
    return n if n < 3 else check(n - 2)

refused = 0
for n in range(100):
    try:
        check(n)
    except Refused:
        refused += 1
    except ZeroDivisionError:
        print('not this one')

text = 'the quick brown fox jumps over the lazy dog ' * 10
counts = {}
for word in sorted(words(text)):
    counts[word.text] = counts.get(word.text, 0) + 1
print(json.dumps({'refused': refused, 'counts': counts, 'big': str(3 ** 300)}, indent=1))
`;

const [, , modulePath, profilePath] = process.argv;
const finish = profilePath && (await profileModule(readFileSync(modulePath), profilePath));

// The package takes its files from one folder.
const folder = temporaryFolder();
for (const name of ['pyodide.asm.mjs', 'python_stdlib.zip', 'pyodide-lock.json']) {
  symlinkSync(packageFile(`pyodide/${name}`), join(folder, name));
}
symlinkSync(resolve(modulePath), join(folder, 'pyodide.asm.wasm'));
const { loadPyodide } = await import(packageFile('pyodide/pyodide.mjs'));
const pyodide = await loadPyodide({ indexURL: folder, env: { PYTHONHASHSEED: '0', HOME: '/' } });
pyodide.runPython(SCRIPT);
if (finish) finish();
