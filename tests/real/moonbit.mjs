// Talks to MoonBit's compiler, which is made to be a worker in a browser: it answers messages.
import { createRequire } from 'node:module';

import { packageFile } from '../support/tools.mjs';

/** Loads the compiler into this thread; returns a function (name, argument) that calls it. */
function startCompiler() {
  let receive;
  const answers = new Map();
  Object.assign(globalThis, {
    addEventListener: (_type, listener) => (receive = listener),
    postMessage: (message) => answers.get(message.id)(message),
  });
  createRequire(import.meta.url)(packageFile('@moonbit/moonc-worker/moonc-worker.js'));
  return (name, argument) =>
    new Promise((resolve, reject) => {
      const id = String(answers.size);
      answers.set(id, ({ type, value }) =>
        type === 'RAW' ? resolve(value) : reject(new Error(JSON.stringify(value))),
      );
      const argumentList = [{ type: 'RAW', value: argument }];
      receive({ origin: 'here', data: { id, type: 'APPLY', path: [name], argumentList } });
    });
}

/** Compiles one file, for garbage-collected WebAssembly, to the fields of a module as text. */
export async function askMoonBit(fileName, source) {
  const call = startCompiler();
  const common = { target: 'wasm-gc', pkgSources: ['main:main'], noOpt: false };
  const { core, diagnostics } = await call('buildPackage', {
    ...common,
    mbtFiles: [[fileName, source]],
    miFiles: [],
    indirectImportMiFiles: [],
    stdMiFiles: [],
    pkg: 'main',
    isMain: true,
    errorFormat: 'human',
    enableValueTracing: false,
  });
  if (!core) throw new Error(diagnostics.join('\n'));
  const { result } = await call('linkCore', {
    ...common,
    coreFiles: [core],
    main: 'main',
    exportedFunctions: [],
    outputFormat: 'wat',
    testMode: false,
    debug: true,
    sourceMap: false,
    sources: {},
    stopOnMain: false,
  });
  return typeof result === 'string' ? result : new TextDecoder().decode(result);
}
