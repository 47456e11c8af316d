// Every error code of the library with inputs, and options, that cause it, and the exact message on stderr:
// exit code 1, nothing written.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { temporaryFolder, tool } from '../support/tools.mjs';

const temporary = temporaryFolder();
const header = '0061736d01000000';

// ---- Building blocks of inputs, in hex ----------------------------------------------------

const hex = (...numbers) => numbers.map((n) => n.toString(16).padStart(2, '0')).join('');
const leb = (n) => (n < 128 ? hex(n) : hex((n & 127) | 128) + leb(Math.floor(n / 128)));
const sized = (contents) => leb(contents.length / 2) + contents;
const section = (id, contents) => hex(id) + sized(contents);
const text = (string) => sized(Buffer.from(string).toString('hex'));
const custom = (name, contents = '') => section(0, text(name) + contents);

const types = section(1, '01' + '600000'); // one type [] -> []
const oneFunction = section(3, '0100');
/** A module of one function of type [] -> [] with that body, locals included. */
const withBody = (body) => header + types + oneFunction + section(10, '01' + sized(body));
const withCode = (code) => withBody('00' + code);
/** The same, the function having a name. */
const named = (body, name) => withBody(body) + custom('name', section(1, '01' + '00' + text(name)));

const exporting = (name) => header + types + oneFunction + section(7, '01' + text(name) + '0000')
  + section(10, '01' + sized('000b'));

const cases = [
  ['NOT_WASM', '', 'offset 0x0: not a WebAssembly module (no \\0asm at its start)'],
  ['NOT_WASM', '7f454c46', 'offset 0x0: not a WebAssembly module (no \\0asm at its start)'],
  ['NOT_WASM', '0061736d02000000', 'offset 0x4: unknown binary version 00000002'],
  ['COMPONENT', '0061736d0d000100', 'offset 0x4: this is a component, whose modules cannot be linked with hooks: use --embed'],
  ['TRUNCATED', '0061736d', 'offset 0x4: truncated header'],
  ['TRUNCATED', header + '01', 'offset 0x9: truncated LEB128'],
  ['TRUNCATED', header + '0105', 'offset 0x9: 5 bytes do not fit into the 0 that are left'],
  ['TRUNCATED', header + section(1, '0160'), 'offset 0xa: 1 types do not fit into the 1 bytes that are left'],
  ['TRUNCATED', header + section(1, 'ffffffff0f'), 'offset 0xa: 4294967295 types do not fit into the 0 bytes that are left'],
  ['TRUNCATED', withCode('41'), 'offset 0x18, function 0: truncated LEB128'],
  ['TRUNCATED', withCode('4180'), 'offset 0x19, function 0: truncated LEB128'],
  ['TRUNCATED', withCode('0101'), 'offset 0x19, function 0: truncated byte'],
  ['TRUNCATED', withCode('43000000'), 'offset 0x1b, function 0: truncated bytes'],
  ['TRUNCATED', withCode('0effffffff0f'), 'offset 0x18, function 0: 4294967295 labels do not fit into the 0 bytes that are left'],
  ['TRUNCATED', named('0041', 'parse_expr'), 'offset 0x18, function 0 (parse_expr): truncated LEB128'],
  ['MALFORMED', header + section(14, ''), 'offset 0x8: malformed section id 14'],
  ['MALFORMED', header + section(3, '00') + section(1, '00'), 'offset 0xb: section 1 is out of order'],
  ['MALFORMED', header + section(1, '0100'), 'offset 0xa: 1 types do not fit into the 1 bytes that are left'],
  ['MALFORMED', header + section(1, '015000'), 'offset 0xd: truncated byte'],
  ['MALFORMED', header + section(1, '01600010'), 'offset 0xd: 16 value types do not fit into the 0 bytes that are left'],
  ['MALFORMED', header + section(1, '01600101'), 'offset 0xd: malformed reference type 0x01'],
  ['MALFORMED', header + section(1, '00' + '00'), 'offset 0xb: section 1 has 1 bytes too many'],
  ['MALFORMED', header + section(2, '01' + text('a') + text('b') + '05'), 'offset 0xf: malformed import kind 0x05'],
  ['MALFORMED', header + section(2, '01' + '01ff' + text('b') + '0000'), 'offset 0xc: malformed UTF-8 in a name'],
  ['MALFORMED', header + types + oneFunction, '1 functions are declared but 0 have bodies'],
  ['MALFORMED', header + section(7, '01' + text('f') + '0007'), 'offset 0xe: function index 7 is out of range'],
  ['MALFORMED', header + section(7, '01' + text('malloc') + '00ffffff7f'), 'offset 0x13: function index 268435455 is out of range', '--embed', '--memory'],
  ['MALFORMED', header + section(7, '01' + text('t') + '0100'), 'offset 0xe: table index 0 is out of range'],
  ['MALFORMED', header + section(5, '010001') + section(7, '01' + text('m') + '0201'), 'offset 0x13: memory index 1 is out of range'],
  ['MALFORMED', header + section(7, '01' + text('g') + '0300'), 'offset 0xe: global index 0 is out of range'],
  ['MALFORMED', header + section(7, '01' + text('e') + '0400'), 'offset 0xe: tag index 0 is out of range'],
  ['MALFORMED', header + section(8, '07'), 'offset 0xa: function index 7 is out of range'],
  ['MALFORMED', withCode('10070b'), 'offset 0x18, function 0: function index 7 is out of range'],
  ['MALFORMED', withCode('0c010b'), 'offset 0x18, function 0: label 1 is out of range'],
  ['MALFORMED', withCode('050b'), 'offset 0x17, function 0: else outside of an if'],
  ['MALFORMED', withCode('190b'), 'offset 0x17, function 0: catch outside of a try'],
  ['MALFORMED', withCode('18000b'), 'offset 0x17, function 0: delegate outside of a try'],
  ['MALFORMED', withCode('1f40010400' + '0b0b'), 'offset 0x1a, function 0: malformed catch clause 0x04'],
  ['MALFORMED', withCode('02550b0b'), 'offset 0x18, function 0: malformed reference type 0x55'],
  ['MALFORMED', withCode('28800100' + '0b'), 'offset 0x18, function 0: malformed memory operation flags 0x80'],
  ['MALFORMED', withCode('418080808010' + '0b'), 'offset 0x18, function 0: integer too large'],
  ['MALFORMED', withCode('108080808080000b'), 'offset 0x18, function 0: integer representation too long'],
  ['MALFORMED', withCode('fb1804' + '0000000b'), 'offset 0x19, function 0: malformed cast flags 0x04'],
  ['MALFORMED', withCode('0b01'), 'offset 0x18, function 0: 1 bytes after the end of the body'],
  ['MALFORMED', header + types + section(3, '0107') + section(10, '01' + sized('000b')), 'offset 0x16, function 0: the function\'s type index does not refer to a function type'],
  ['MALFORMED', header + types + section(9, '0108'), 'offset 0x11: malformed element segment flags 8'],
  ['MALFORMED', header + section(5, '0110'), 'offset 0xb: malformed limits flags 0x10'],
  ['MALFORMED', header + types + section(13, '010100'), 'offset 0x11: malformed tag attribute'],
  ['MALFORMED', header + section(11, '0103'), 'offset 0xb: malformed data segment flags 3'],
  ['MALFORMED', header + section(4, '01' + '700200'), 'offset 0xc: malformed limits flags 0x02'],
  ['MALFORMED', header + section(6, '01' + '7f04' + '41000b'), 'offset 0xc: malformed mutability 0x04'],
  ['UNSUPPORTED', withCode('270b'), 'offset 0x17, function 0: unknown opcode 0x27'],
  ['UNSUPPORTED', withCode('fd9a010b'), 'offset 0x17, function 0: unknown opcode 0xfd 0x9a'],
  ['UNSUPPORTED', withCode('fcffff030b'), 'offset 0x17, function 0: unknown opcode 0xfc 0xffff'],
  ['LIMIT', withBody('01d186037f' + '0b'), 'offset 0x16, function 0: more than 50000 locals'],
  ['LIMIT', withCode('01'.repeat(7654320) + '0b'), 'offset 0x1c, function 0: a body of 7654322 bytes exceeds the engines\' limit of 7654321'],
  ['LIMIT', '0061736d0d000100' + section(1, header).repeat(1001), 'offset 0x2718: a component of more than 1000 core modules', '--embed'],
  ['RELOCATABLE', withCode('0b') + custom('linking', '02'), 'offset 0x1a: relocatable object (section \'linking\'); instrument the linked module'],
  ['RELOCATABLE', withCode('0b') + custom('reloc.CODE', '0300'), 'offset 0x1a: relocatable object (section \'reloc.\'); instrument the linked module'],
  ['INSTRUMENTED', exporting('wasm_perf_of_mine'), 'the module exports wasm_perf_*, names that the embedded runtime needs', '--embed'],
  ['INSTRUMENTED', header + types + section(2, '01' + text('wasm_perf') + text('perf_end') + '0000'), 'it already imports wasm_perf.perf_end; choose another module name for the imports of hooks with wasm-instrument --import-module'],
  ['INSTRUMENTED', header + custom('wasm_instrument', '01' + text('9.8.7')), 'offset 0xa: already instrumented by wasm-instrument 9.8.7'],
];

// ---- What unsettled proposals define ------------------------------------------------------

const inFunction = (code, at, what) => [withCode(code + '0b'), `offset 0x${(0x17 + at).toString(16)}, function 0: ${what}`];
const inModule = (sections, at, what) => [header + sections, `offset 0x${at.toString(16)}: ${what}`];
const ofType = (form) => [section(1, '01' + form + '00'), 0xb];
const ofImport = (kind) => [section(2, '01' + text('a') + text('b') + kind + '00'), 0xf];

/** A row for each of src/module/proposals.def: place, the first and the last code, each in a module. */
const proposals = [
  ['OPCODE', 'stack switching', inFunction('e000', 0, 'opcode 0xe0'), inFunction('e600', 0, 'opcode 0xe6')],
  ['OPCODE_FB', 'shared-everything threads', inFunction('fb1f', 0, 'opcode 0xfb 0x1f')],
  ['OPCODE_FB', 'custom descriptors', inFunction('fb2000', 0, 'opcode 0xfb 0x20'), inFunction('fb2600', 0, 'opcode 0xfb 0x26')],
  ['OPCODE_FB', 'stringref', inFunction('fb8001', 0, 'opcode 0xfb 0x80'), inFunction('fbbf01', 0, 'opcode 0xfb 0xbf')],
  ['OPCODE_FC', 'memory control', inFunction('fc12', 0, 'opcode 0xfc 0x12')],
  ['OPCODE_FC', 'half precision', inFunction('fc30', 0, 'opcode 0xfc 0x30'), inFunction('fc31', 0, 'opcode 0xfc 0x31')],
  ['OPCODE_FD', 'half precision', inFunction('fda002', 0, 'opcode 0xfd 0x120'), inFunction('fdcf02', 0, 'opcode 0xfd 0x14f')],
  ['OPCODE_FE', 'shared-everything threads', inFunction('fe04', 0, 'opcode 0xfe 0x04')],
  ['OPCODE_FE', 'shared-everything threads', inFunction('fe4f', 0, 'opcode 0xfe 0x4f'), inFunction('fe7f', 0, 'opcode 0xfe 0x7f')],
  ['TYPE_FORM', 'custom descriptors', inModule(...ofType('4c'), 'type form 0x4c'), inModule(...ofType('4d'), 'type form 0x4d')],
  ['TYPE_FORM', 'stack switching', inModule(...ofType('5d'), 'type form 0x5d')],
  ['TYPE_FORM', 'shared-everything threads', inModule(...ofType('65'), 'type form 0x65')],
  ['TYPE', 'custom descriptors', inFunction('d062', 1, 'heap type 0x62')],
  ['TYPE', 'shared-everything threads', inFunction('d065', 1, 'heap type 0x65')],
  ['TYPE', 'stringref', inFunction('d067', 1, 'heap type 0x67')],
  ['TYPE', 'stack switching', inFunction('d068', 1, 'heap type 0x68')],
  ['TYPE', 'stack switching', inFunction('d075', 1, 'heap type 0x75')],
  ['MUTABILITY', 'shared-everything threads', inModule(section(6, '01' + '7f02' + '41000b'), 0xc, 'mutability 0x02'),
    inModule(section(6, '01' + '7f03' + '41000b'), 0xc, 'mutability 0x03')],
  ['EXTERN_KIND', 'custom descriptors', inModule(...ofImport('20'), 'import kind 0x20')],
  ['MEMORY_FLAGS', 'multi-byte array access', inFunction('281000', 1, 'memory operation flags 0x10'), inFunction('283f00', 1, 'memory operation flags 0x3f')],
  ['ATOMIC_FLAGS', 'shared-everything threads', inFunction('fe101000', 2, 'memory operation flags 0x10'), inFunction('fe103f00', 2, 'memory operation flags 0x3f')],
];
for (const [, proposal, ...examples] of proposals)
  for (const [bytes, where] of examples)
    cases.push(['UNSUPPORTED', bytes, `${where} (${proposal}) is not supported`]);
cases.push(
  // Each where else it may stand: as a value's type, after the bit for a memory's index, of vectors.
  ['UNSUPPORTED', ...inModule(section(6, '01' + '6700' + 'd0670b'), 0xb, 'reference type 0x67 (stringref) is not supported')],
  ['UNSUPPORTED', ...inFunction('28620000', 1, 'memory operation flags 0x22 (multi-byte array access) is not supported')],
  ['UNSUPPORTED', ...inFunction('fd001200', 2, 'memory operation flags 0x12 (multi-byte array access) is not supported')],
);

/** The rows are those of the table, with an example of each end. */
function checkAllProposalsCovered() {
  const table = readFileSync(resolve(import.meta.dirname, '../../src/module/proposals.def'), 'utf8');
  const rows = [...table.matchAll(/^X\((\w+), (0x\w+), (0x\w+), "(.*)"\)/gm)].map((match) => match.slice(1));
  const ends = proposals.map(([place, proposal, ...examples]) => {
    const codes = examples.map(([, where]) => where.slice(where.lastIndexOf(' ') + 1));
    return [place, codes[0], codes.at(-1), proposal];
  });
  assert.deepEqual(ends, rows);
}

// ---- Running them --------------------------------------------------------------------------

function check(bytes, message, options) {
  const input = join(temporary, 'in.wasm');
  const output = join(temporary, 'out.wasm');
  rmSync(output, { force: true }); // of a case that failed before
  writeFileSync(input, Buffer.from(bytes, 'hex'));
  const run = spawnSync(tool('wasm-instrument'), [...options, input, '-o', output], { encoding: 'utf8' });
  assert.equal(run.stderr.replaceAll(input, 'in.wasm'), `wasm-instrument: in.wasm: ${message}\n`);
  assert.equal(run.status, 1, 'exit code');
  assert.equal(run.stdout, '');
  assert.ok(!existsSync(output), 'an output file was left');
  assert.deepEqual(readdirSync(temporary), ['in.wasm'], 'a temporary file was left');
}

/** Codes that no input file causes: memory running out, faulty patterns and options (tests/cli_instrument). */
const elsewhere = ['NONE', 'OUT_OF_MEMORY', 'PATTERN', 'OPTION'];

function checkAllCodesCovered() {
  const source = readFileSync(
    resolve(import.meta.dirname, '../../include/wasm_instrument/wasm_instrument.h'), 'utf8');
  const list = /WI_ERROR_CODES\(X\)([\s\S]*?)\n\n/.exec(source)[1];
  const codes = [...list.matchAll(/X\((\w+),/g)].map((match) => match[1]);
  assert.ok(codes.length > 5);
  const covered = new Set([...cases.map(([code]) => code), ...elsewhere]);
  assert.deepEqual(codes.filter((code) => !covered.has(code)), [], 'codes without an example');
}

for (const [code, bytes, message, ...options] of cases)
  test([code, bytes.slice(0, 80), ...options].join(' '), () => check(bytes, message, options));
test('every code has an example', checkAllCodesCovered);
test('every proposal has an example', checkAllProposalsCovered);
