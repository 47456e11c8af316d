// Modules of npm packages that have names: those that libraries are learnt from, and those that prove what was
// learnt. Paths in node_modules.

export const learned = [
  'web-tree-sitter/debug/web-tree-sitter.wasm',
  '@dprint/json/plugin.wasm',
  '@dprint/typescript/plugin.wasm',
  '@automerge/automerge-wasm/nodejs/automerge_wasm_bg.wasm',
  '@prisma/prisma-schema-wasm/src/prisma_schema_build_bg.wasm',
  '@1password/sdk-core/nodejs/core_bg.wasm',
  'z3-solver/build/z3-built.wasm',
];

export const heldBack = [
  'mupdf/dist/mupdf-wasm.wasm',
  'canvaskit-wasm/bin/profiling/canvaskit.wasm',
  '@dprint/markdown/plugin.wasm',
  '@matrix-org/matrix-sdk-crypto-wasm/pkg/matrix_sdk_crypto_wasm_bg.wasm',
  '@biomejs/wasm-nodejs/biome_wasm_bg.wasm',
];

/** Modules as packages ship them, without names: how many functions get one. */
export const stripped = [
  'sql.js/dist/sql-wasm.wasm',
  '@bokuweb/zstd-wasm/dist/common/zstd.wasm',
  '@jsquash/avif/codec/dec/avif_dec.wasm',
  'tiktoken/tiktoken_bg.wasm',
  '@rollup/wasm-node/dist/wasm-node/bindings_wasm_bg.wasm',
  '@dimforge/rapier3d-compat/dist/rapier_wasm3d_bg.wasm',
  'lightningcss-wasm/lightningcss_node.wasm',
];

/**
 * A module to be stripped, and another build of it that has names. `-previous` is the package's version before.
 * `renamed`: what names of that version have become. `merged`: functions of the same code, of which wasm-opt kept one.
 */
export const pairs = [
  { title: 'canvaskit ← its profiling build', module: 'canvaskit-wasm/bin/canvaskit.wasm', named: 'canvaskit-wasm/bin/profiling/canvaskit.wasm' },
  { title: 'canvaskit, full ← its profiling build', module: 'canvaskit-wasm/bin/full/canvaskit.wasm', named: 'canvaskit-wasm/bin/profiling/canvaskit.wasm' },
  { title: 'canvaskit 0.41.1 ← 0.42.0', module: 'canvaskit-previous/bin/profiling/canvaskit.wasm', named: 'canvaskit-wasm/bin/profiling/canvaskit.wasm',
    renamed: { XLikelySubtags: 'LikelySubtags' }, merged: [['~SkComposeColorFilter', '~SkBlendShader'], ['~SkCoordClampShader', '~DrawableMatrixWrapper']] },
  { title: 'web-tree-sitter ← its debug build', module: 'web-tree-sitter/web-tree-sitter.wasm', named: 'web-tree-sitter/debug/web-tree-sitter.wasm' },
  { title: 'web-tree-sitter 0.27.1 ← 0.27.2', module: 'web-tree-sitter-previous/debug/web-tree-sitter.wasm', named: 'web-tree-sitter/debug/web-tree-sitter.wasm' },
  { title: 'mupdf 1.28.0 ← 1.28.1', module: 'mupdf-previous/dist/mupdf-wasm.wasm', named: 'mupdf/dist/mupdf-wasm.wasm' },
  { title: '@dprint/json 0.23.0 ← 0.24.0', module: 'dprint-json-previous/plugin.wasm', named: '@dprint/json/plugin.wasm' },
  { title: '@dprint/typescript 0.96.0 ← 0.96.1', module: 'dprint-typescript-previous/plugin.wasm', named: '@dprint/typescript/plugin.wasm' },
  { title: '@automerge/automerge-wasm 0.16.0 ← 0.17.0', module: 'automerge-previous/nodejs/automerge_wasm_bg.wasm', named: '@automerge/automerge-wasm/nodejs/automerge_wasm_bg.wasm' },
  { title: '@matrix-org/matrix-sdk-crypto-wasm 18.8.0 ← 18.9.0', module: 'matrix-previous/pkg/matrix_sdk_crypto_wasm_bg.wasm', named: '@matrix-org/matrix-sdk-crypto-wasm/pkg/matrix_sdk_crypto_wasm_bg.wasm' },
];
