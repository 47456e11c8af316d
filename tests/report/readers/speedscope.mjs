/** Reads speedscope's format: by its JSON schema, exactly, and by speedscope's own importer. */

import assert from 'node:assert/strict';
import { Spans, compareRounded, fitsDoubles, index, parseExactly, print, scaled, validate } from './reader.mjs';
import { importProfiles, isBounded, schema } from './speedscope_app.mjs';

function readProfile(profile, names) {
  assert.equal(profile.type, 'evented');
  assert.equal(scaled(profile.startValue), 0n);
  const spans = new Spans();
  for (const { type, frame, at } of profile.events) {
    const name = names[index(frame, names.length)];
    if (type === 'O') spans.open(name, scaled(at));
    else spans.close(name, scaled(at));
  }
  return { name: profile.name, unit: profile.unit, spans, functions: spans.sum(scaled(profile.endValue)) };
}

validate(schema);
const contents = parseExactly();
const names = contents.shared.frames.map((frame) => frame.name);
assert.equal(new Set(names).size, names.length, 'two frames of the same name');
const profiles = contents.profiles.map((profile) => readProfile(profile, names));
const [values] = profiles;
const calls = profiles.at(-1);
assert.equal(values.unit, values.name.startsWith('time ') ? 'nanoseconds' : 'none');
assert.deepEqual([calls.name, calls.unit], ['calls', 'none']);
if (profiles.every(({ spans, functions }) => fitsDoubles(functions) && isBounded(spans.parents))) {
  const imported = await importProfiles();
  assert.deepEqual(imported.map((profile) => profile.name), profiles.map((profile) => profile.name));
  imported.forEach(({ functions }, i) => compareRounded(profiles[i].functions, functions));
}
for (const [name, sums] of values.functions) sums.calls = calls.functions.get(name).self;
print(values.functions);
