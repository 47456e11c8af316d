// The programs of program.mjs. Of each:
//   module      a file of an npm package, or {compiler, source} for one of ./programs
//   runner      run_RUNNER.mjs runs it; arguments in front of its own may follow
//   counted     how calls are counted separately, of programs that make the same ones in each run:
//               by_stack takes some 50 us a call
//   started     calls that come from the engine: that of the start function
//   nested      not only the host calls it but another module does, which goes unseen
//   rewinds     by asyncify, or what go does: the embedded form does not count as called again what goes on
//               after it waited
//   engines     a WASI command is also run by these, its instructions counted, with these options;
//               not Go's, whose scheduler goes by the clock
import * as compile from './compile.mjs';

const EVERYWHERE = { node: [], wasmtime: [] };

const command = (compiler, source, engines) => ({
  module: { compiler, source },
  runner: ['command'],
  counted: 'by_stack',
  engines,
});

export const programs = {
  sqljs: { module: 'sql.js/dist/sql-wasm-debug.wasm', runner: ['sqljs'], counted: 'by_stack' },
  treesitter: {
    module: 'web-tree-sitter/web-tree-sitter.wasm',
    runner: ['treesitter', 'parser'],
    counted: 'by_function',
    started: 1,
  },
  'treesitter grammar': {
    module: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
    runner: ['treesitter', 'grammar'],
    counted: 'by_function',
    nested: true,
  },
  ffmpeg: {
    module: '@ffmpeg/core/dist/esm/ffmpeg-core.wasm',
    runner: ['ffmpeg'],
    counted: 'by_function',
  },
  swc: { module: '@swc/wasm/wasm_bg.wasm', runner: ['swc'], counted: 'by_function' },
  pyodide: { module: 'pyodide/pyodide.asm.wasm', runner: ['pyodide'], counted: 'by_function' },
  ruby: {
    module: '@ruby/3.4-wasm-wasi/dist/ruby+stdlib.wasm',
    runner: ['ruby'],
    counted: 'by_function',
    rewinds: 'asyncify',
  },
  // Not the same calls even with its clock and files in order: Go's scheduler.
  esbuild: { module: 'esbuild-wasm/esbuild.wasm', runner: ['esbuild'], rewinds: 'go' },

  C: command(compile.c, 'sort.c', EVERYWHERE),
  'C++': command(compile.cxx, 'shapes.cc', EVERYWHERE),
  'C++ legacy': command(compile.cxxLegacy, 'exceptions.cc', { node: [] }), // wasmtime has it not
  'C++ exnref': command(compile.cxxExnref, 'exceptions.cc', {
    node: [],
    wasmtime: ['-Wexceptions'],
  }),
  'C++ invoke': {
    module: { compiler: compile.cxxInvoke, source: 'exceptions.cc' },
    runner: ['emscripten'],
    counted: 'by_stack',
  },
  Rust: command(compile.rust, 'tables.rs', EVERYWHERE),
  Go: { ...command(compile.go, 'routines.go'), rewinds: 'go' },
  AssemblyScript: { ...command(compile.assemblyScript, 'life.ts', EVERYWHERE), started: 1 },
  MoonBit: command(compile.moonBit, 'trees.mbt', { node: [], wasmtime: ['-Wgc'] }),
};
