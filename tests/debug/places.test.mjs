// Every instruction of small C and C++ programs has the same function, file, line, column and inlined
// frames before and after a rewrite, as each of the installed readers sees it; what verifies before
// verifies after.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryFolder } from '../support/tools.mjs';
import { complaints, installed, readers, rewrite, sections } from './oracle.mjs';
import { compile } from './programs.mjs';

const folder = temporaryFolder();
const kinds = {
  'DWARF 4, not optimized': ['wasm32', ['-gdwarf-4', '-O0']],
  'DWARF 4, optimized': ['wasm32', ['-gdwarf-4', '-O2', '-gdwarf-aranges']],
  'DWARF 5, not optimized': ['wasm32', ['-gdwarf-5', '-O0', '-gdwarf-aranges']],
  'DWARF 5, optimized': ['wasm32', ['-gdwarf-5', '-O2']],
  'DWARF 3': ['wasm32', ['-gdwarf-3', '-O1']],
  'DWARF 2': ['wasm32', ['-gdwarf-2', '-O1']],
  'macros': ['wasm32', ['-gdwarf-5', '-O1', '-fdebug-macro']],
  '64-bit memory, DWARF 4': ['wasm64', ['-gdwarf-4', '-O2']],
  '64-bit memory, DWARF 5': ['wasm64', ['-gdwarf-5', '-O2']],
};

const forms = {
  linked: [],
  instructions: ['--clock=instructions'],
  embedded: ['--embed'],
  'embedded with instructions': ['--embed', '--clock=instructions'],
  selection: ['--only=sum', '--only=other'],
};

for (const [kind, [target, flags]] of Object.entries(kinds)) {
  test(kind, async () => {
    const module = compile(folder, kind.replace(/\W+/g, '-'), target, flags);
    for (const [form, options] of Object.entries(forms)) {
      const output = module.replace('.wasm', `.${form}.wasm`);
      const { pairs, count, warnings } = rewrite(module, output, options);
      assert.deepEqual(warnings, []);
      assert(count > 50);
      for (const reader of installed()) {
        const { compared, known, different } = await readers[reader]([module, output], pairs, 1);
        assert.equal(compared, 2 * count);
        assert.equal(different, 0, `${different} places differ for ${reader}, ${form}`);
        assert(known > count, `${reader} knows only ${known} places`);
      }
      assert.equal(complaints(output), complaints(module));
    }
  });
}

test('what is past the end of the code stays past it', () => {
  const module = compile(folder, 'past', 'wasm32', ['-gdwarf-4', '-gdwarf-aranges', '-O1']);
  const bytes = readFileSync(module);
  const find = (all, wanted) => sections(all).find(({ id, name }) => id === wanted || name === wanted);
  const code = find(bytes, 10);
  const tuples = find(bytes, '.debug_aranges').start + 16; // after the header and its padding
  bytes.writeUInt32LE(code.end - code.start + 4, tuples);
  const [input, output] = [join(folder, 'stale.wasm'), join(folder, 'stale.out.wasm')];
  writeFileSync(input, bytes);
  for (const options of Object.values(forms)) {
    rewrite(input, output, options);
    const after = readFileSync(output);
    const { start, end } = find(after, 10);
    assert(after.readUInt32LE(find(after, '.debug_aranges').start + 16) >= end - start + 4);
  }
});
