/** Reads .cpuprofile files: by the protocol's types, exactly, and by speedscope's importer. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  assertColumn,
  compareRounded,
  fitsDoubles,
  index,
  packageFolder,
  parseExactly,
  print,
  scaled,
  sumTree,
  validate,
} from './reader.mjs';
import { importProfiles, isBounded } from './speedscope_app.mjs';

/** The protocol's definition of `type` as a JSON schema that allows no other members. */
function schemaOf({ $ref, type, items, properties }, domain) {
  if ($ref) return { $ref: '#/definitions/' + ($ref.includes('.') ? $ref : `${domain}.${$ref}`) };
  if (items) return { type, items: schemaOf(items, domain) };
  if (!properties) return type === 'any' ? {} : { type };
  const members = properties.map((member) => [member.name, schemaOf(member, domain)]);
  const required = properties.filter((member) => !member.optional).map((member) => member.name);
  return { type, properties: Object.fromEntries(members), required, additionalProperties: false };
}

function protocolSchema() {
  const definitions = {};
  const file = path.join(packageFolder('devtools-protocol'), 'json/js_protocol.json');
  const protocol = JSON.parse(readFileSync(file));
  for (const { domain, types } of protocol.domains.filter(({ domain }) => /^(Profiler|Runtime)$/.test(domain)))
    for (const type of types) definitions[`${domain}.${type.id}`] = schemaOf(type, domain);
  // Whole microseconds are too coarse; every reader of such files takes other numbers, too.
  definitions['Profiler.Profile'].properties.timeDeltas.items.type = 'number';
  return { definitions, $ref: '#/definitions/Profiler.Profile' };
}

validate(protocolSchema());
const profile = parseExactly();
const ids = profile.nodes.map((node) => index(node.id));
const placeOf = new Map(ids.map((id, place) => [id, place]));
assert.equal(placeOf.size, ids.length, 'two nodes of the same id');
const parents = ids.map(() => undefined);
profile.nodes.forEach((node, place) => {
  for (const child of node.children) {
    const childPlace = placeOf.get(index(child));
    assert.equal(parents[childPlace], undefined, 'a node has two parents');
    parents[childPlace] = place;
  }
});
assert.deepEqual([parents[0], parents.indexOf(undefined, 1)], [undefined, -1], 'node 0 is the only root');

/** Each sample lasts until the next one; the last one is the root's and lasts no time. */
const { samples, timeDeltas } = profile;
const selves = ids.map(() => 0n);
const hits = ids.map(() => 0);
const decimals = 3;
let position = scaled(profile.startTime, decimals);
assert.equal(samples.length, timeDeltas.length);
assert.equal(scaled(timeDeltas[0]), 0n);
samples.forEach((id, i) => {
  const place = placeOf.get(index(id));
  const duration = i + 1 < samples.length ? scaled(timeDeltas[i + 1], decimals) : 0n;
  selves[place] += duration;
  hits[place]++;
  position += duration;
});
assertColumn(profile.nodes.map((node) => index(node.hitCount)), hits, 'hitCount');
assert.equal(selves[0], 0n, 'the root has no time of its own');
const end = scaled(profile.endTime, decimals);
assert(position === end || end >= 2n ** 64n - 1n, `samples end at ${position}, the profile at ${end}`);

const names = profile.nodes.map((node) => node.callFrame.functionName);
assert.equal(names[0], '(root)');
const withoutRoot = [parents, names, selves].map((column) => column.slice(1));
withoutRoot[0] = withoutRoot[0].map((parent) => parent - 1);
const functions = sumTree(...withoutRoot);
if (fitsDoubles(functions) && isBounded(withoutRoot[0])) {
  const [{ functions: imported }] = await importProfiles();
  for (const [name, { total }] of functions) if (!imported.has(name) && total === 0n) imported.set(name, { self: 0 });
  compareRounded(functions, imported, decimals);
}
// Nothing in the file tells whether a µs is one or stands for a call or an instruction.
if (process.env.WI_UNIT !== 'nanoseconds')
  for (const sums of functions.values())
    for (const key of ['self', 'total']) {
      assert.equal(sums[key] % 1000n, 0n);
      sums[key] /= 1000n;
    }
print(functions);
