// Every instruction of small C and C++ programs has the same function, file, line, column and inlined
// frames before and after a rewrite, as each of the installed readers sees it; what verifies before
// verifies after.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { temporaryFolder } from '../support/tools.mjs';
import { complaints, installed, readers, rewrite } from './oracle.mjs';
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
