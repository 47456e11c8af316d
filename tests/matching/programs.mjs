// The programs whose functions are named by other builds of them. build(variant, output) makes one with
// names; of the variants `version` is the neighbouring version of the source or of the compiler. Nothing was
// chosen for those with `held` but what measurements.md says. `renamed`: what functions of the neighbouring version are
// called in this one. `merged`: of functions with the same code compilers keep one, and not always the same one: the name of
// the one kept in the variant, and that of the one kept in `base`, where the function has no other name.
import { mkdirSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { assemblyScript, clang, go, run, rust, zig } from './compilers.mjs';
import { crate } from './sources.mjs';

const source = (name) => join(import.meta.dirname, 'programs', name);
const filesOf = (folder, pattern) => readdirSync(folder).filter((name) => pattern.test(name)).map((name) => join(folder, name));
const pick = (variant, base, other) => (variant === 'version' ? other : base);
const all = ['os', 'inline', 'lto', 'opt', 'version'];

/** Packages of other versions, in folders of their own. */
function python(cache, name, version) {
  const folder = join(cache, `${name}-${version}`);
  if (!existsSync(folder)) run('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder, `${name}==${version}`]);
  return folder;
}

function npm(cache, name, version) {
  const folder = join(cache, `${name}-${version}`);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'node_modules', name))) run('npm', ['install', '--prefix', folder, '--loglevel=error', '--no-audit', '--no-fund', `${name}@${version}`]);
  return join(folder, 'node_modules', name);
}

function lua(cache, variant, output) {
  const [version, release] = pick(variant, ['547.0.0', '5.4.7'], ['546.0.2', '5.4.6']);
  const folder = join(crate(cache, 'lua-src', version), `lua-${release}`);
  const files = filesOf(folder, /^(?!luac?\.c$).*\.c$/);
  const options = ['-I', folder, '-I', source('include'), '-DLUAI_THROW(L,c)=__builtin_trap()', '-DLUAI_TRY(L,c,a)=a', '-Dluai_jmpbuf=int', '-Dl_system(cmd)=0',
    '-DLUA_TMPNAMBUFSIZE=32', '-Dlua_tmpnam(b,e)=(e=1)', '-D_WASI_EMULATED_SIGNAL', '-D_WASI_EMULATED_PROCESS_CLOCKS',
    '-lwasi-emulated-signal', '-lwasi-emulated-process-clocks'];
  clang('clang', [...files, source('lua.c')], options, variant, output);
}

function sqlite(cache, variant, output) {
  const folder = join(crate(cache, 'libsqlite3-sys', pick(variant, '0.29.0', '0.28.0')), 'sqlite3');
  const options = ['-I', folder, '-DSQLITE_THREADSAFE=0', '-DSQLITE_OMIT_LOAD_EXTENSION', '-DSQLITE_OS_OTHER=1', '-DSQLITE_TEMP_STORE=3'];
  clang('clang', [join(folder, 'sqlite3.c'), join(folder, 'wasm32-wasi-vfs.c'), source('sqlite.c')], options, variant, output);
}

function zstd(cache, variant, output) {
  const folder = join(crate(cache, 'zstd-sys', pick(variant, '2.0.10+zstd.1.5.6', '2.0.9+zstd.1.5.5')), 'zstd/lib');
  const files = ['common', 'compress', 'decompress'].flatMap((part) => filesOf(join(folder, part), /\.c$/));
  clang('clang', [...files, source('zstd.c')], ['-I', folder, '-DZSTD_DISABLE_ASM'], variant, output);
}

function bzip2(cache, variant, output) {
  const folder = join(crate(cache, 'bzip2-sys', '0.1.11+1.0.8'), 'bzip2-1.0.8');
  const files = ['blocksort', 'huffman', 'crctable', 'randtable', 'compress', 'decompress', 'bzlib'].map((name) => join(folder, `${name}.c`));
  clang('clang', [...files, source('bzip2.c')], ['-I', folder, '-DBZ_NO_STDIO'], variant, output);
}

function webp(cache, variant, output) {
  const folder = join(crate(cache, 'libwebp-sys', '0.9.4'), 'vendor');
  const files = ['src/dec', 'src/dsp', 'src/enc', 'src/utils', 'sharpyuv'].flatMap((part) => filesOf(join(folder, part), /^(?!.*(sse|avx|neon|mips|msa)).*\.c$/));
  clang('clang', [...files, source('webp.c')], ['-I', folder, '-I', join(folder, 'src')], variant, output);
}

function meshopt(cache, variant, output) {
  const folder = join(crate(cache, 'meshopt', '0.2.1'), 'vendor/src');
  clang('clang++', [...filesOf(folder, /\.cpp$/), source('meshopt.cc')], ['-I', folder, '-fno-exceptions', '-std=c++17'], variant, output);
}

function imgui(cache, variant, output) {
  const folder = join(crate(cache, 'imgui-sys', '0.11.0'), 'third-party/imgui-master/imgui');
  const options = ['-I', folder, '-DIMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS', '-fno-exceptions', '-std=c++17'];
  clang('clang++', [...filesOf(folder, /\.cpp$/), source('imgui.cc')], options, variant, output);
}

function ada(cache, variant, output) {
  const folder = join(crate(cache, 'ada-url', pick(variant, '2.1.0', '2.0.0')), 'deps');
  clang('clang++', [source('ada.cc')], ['-I', folder, '-fno-exceptions', '-std=c++20'], variant, output);
}

/** Of versions that Debian's Rust compiles, which is older than what the crates ask for by themselves. */
function common(cache) {
  crate(cache, 'memchr', '2.5.0');
  crate(cache, 'unicase', '2.6.0');
}

function markdown(cache, variant, output) {
  const version = pick(variant, '0.9.2', '0.9.1');
  crate(cache, 'pulldown-cmark', version);
  common(cache);
  const at = (name) => join(cache, 'sources', name);
  const crates = [
    { name: 'bitflags', folder: at('bitflags-1.3.2') },
    { name: 'memchr', folder: at('memchr-2.5.0'), features: ['std'] },
    { name: 'unicase', folder: at('unicase-2.6.0'), },
    { name: 'pulldown_cmark', folder: at(`pulldown-cmark-${version}`) },
  ];
  rust(source('markdown.rs'), crates, variant, output);
}

function regex(cache, variant, output) {
  const version = pick(variant, '1.7.3', '1.7.1');
  crate(cache, 'regex', version, ['aho-corasick', 'memchr']);
  common(cache);
  const at = (name) => join(cache, 'sources', name);
  const unicode = ['unicode', 'unicode-age', 'unicode-bool', 'unicode-case', 'unicode-gencat', 'unicode-perl', 'unicode-script', 'unicode-segment'];
  const crates = [
    { name: 'memchr', folder: at('memchr-2.5.0'), features: ['std'] },
    { name: 'aho_corasick', folder: at('aho-corasick-0.7.20'), features: ['std'] },
    { name: 'regex_syntax', folder: at('regex-syntax-0.6.29'), features: unicode },
    { name: 'regex', folder: at(`regex-${version}`), features: ['std', 'perf', 'perf-cache', 'perf-dfa', 'perf-inline', 'perf-literal', 'aho-corasick', 'memchr', ...unicode] },
  ];
  rust(source('regex.rs'), crates, variant, output);
}

const report = (cache, variant, output) => go(source('report.go'), variant, pick(variant, undefined, 'go1.25.3'), output);
const words = (cache, variant, output) => zig(source('words.zig'), variant, python(cache, 'ziglang', pick(variant, '0.17.1', '0.17.0')), output);
const lists = (cache, variant, output) => assemblyScript(source('lists.ts'), variant, npm(cache, 'assemblyscript', pick(variant, '0.28.20', '0.28.10')), output);

export const programs = [
  { name: 'lua', language: 'C', build: lua, variants: all, renamed: { luaK_exp2RK: 'exp2RK', luaD_tryfuncTM: 'tryfuncTM' } },
  { name: 'imgui', language: 'C++', build: imgui, variants: ['os', 'inline', 'lto', 'opt'] },
  { name: 'markdown', language: 'Rust', build: markdown, variants: all },
  { name: 'report', language: 'Go', build: report, variants: ['inline', 'opt', 'version'] },
  { name: 'lists', language: 'AssemblyScript', build: lists, variants: all, runs: false,
    merged: { '~lib/array/Array<~lib/string/String>#push': '~lib/array/Array<tests/matching/programs/lists/Item>#push' } },
  { name: 'sqlite', language: 'C', build: sqlite, variants: all, held: true },
  { name: 'zstd', language: 'C', build: zstd, variants: all, held: true },
  { name: 'ada', language: 'C++', build: ada, variants: all, held: true },
  { name: 'regex', language: 'Rust', build: regex, variants: all, held: true,
    merged: {
      '_ZN96_$LT$regex..re_set..unicode..SetMatches$u20$as$u20$core..iter..traits..collect..IntoIterator$GT$9into_iterE':
        '_ZN94_$LT$regex..re_set..bytes..SetMatches$u20$as$u20$core..iter..traits..collect..IntoIterator$GT$9into_iterE',
    } },
  { name: 'bzip2', language: 'C', build: bzip2, variants: ['os', 'inline', 'lto', 'opt'] },
  { name: 'webp', language: 'C', build: webp, variants: ['os', 'inline', 'lto', 'opt'], held: true },
  { name: 'meshopt', language: 'C++', build: meshopt, variants: ['os', 'inline', 'lto', 'opt'], held: true },
  { name: 'words', language: 'Zig', build: words, variants: ['os', 'inline', 'opt', 'version'], held: true },
];
