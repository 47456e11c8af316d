/** pprof_decode.mjs PACKAGE FILE: what pprof-format reads in a profile, as JSON. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

const [folder, file] = process.argv.slice(2);
const { Profile } = await import(pathToFileURL(join(folder, 'dist/esm/index.js')));
const profile = Profile.decode(gunzipSync(readFileSync(file)));

const text = (index) => profile.stringTable.strings[Number(index)];
const byId = (items) => new Map(items.map((item) => [Number(item.id), item]));
const functions = byId(profile.function);
const locations = byId(profile.location);
const mappings = byId(profile.mapping);

function functionOf(locationId) {
  const location = locations.get(Number(locationId));
  const [line, ...others] = location.line;
  if (others.length > 0) throw new Error(`location ${locationId} has several lines`);
  if (!mappings.has(Number(location.mappingId))) throw new Error(`${locationId} is nowhere`);
  return functions.get(Number(line.functionId));
}

if (text(0) !== '') throw new Error('the first string is not the empty one');
if (profile.mapping.length !== 1 || !profile.mapping[0].hasFunctions)
  throw new Error('there is to be one mapping, which has functions');
for (const { filename } of profile.function)
  if (filename !== profile.mapping[0].filename && !/^(\/|file:|node:)|\.[cm]?js$/.test(text(filename)))
    throw new Error('a function of another file');
if (profile.periodType.type !== profile.defaultSampleType)
  throw new Error('period and default are of different types');

process.stdout.write(
  JSON.stringify({
    types: profile.sampleType.map(({ type, unit }) => `${text(type)}/${text(unit)}`),
    default: text(profile.defaultSampleType),
    samples: profile.sample.map(({ locationId, value }) => [
      locationId.map((id) => text(functionOf(id).name)),
      value.map(String),
    ]),
    system_names: Object.fromEntries(
      profile.function.map(({ name, systemName }) => [text(name), text(systemName)]),
    ),
    comments: profile.comment.map(text),
    period: Number(profile.period),
    duration: String(profile.durationNanos),
    title: text(profile.mapping[0].filename),
  }),
);
