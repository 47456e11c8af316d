// ffmpeg makes a short clip and transcodes it; with a second argument, profiled into that file.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { packageFile } from '../support/tools.mjs';
import { profileModule } from './profiled.mjs';
import './repeatable.mjs';

const [, , modulePath, profilePath] = process.argv;
const bytes = readFileSync(modulePath);
const finish = profilePath && (await profileModule(bytes, profilePath));

globalThis.self = globalThis; // the package is for web workers
globalThis.location = { href: import.meta.url };
const { default: createCore } = await import(packageFile('@ffmpeg/core/dist/esm/ffmpeg-core.js'));
const core = await createCore({ wasmBinary: bytes });
const messages = [];
core.setLogger(({ message }) => messages.push(message));

function ffmpeg(output, ...args) {
  const status = core.exec('-hide_banner', '-nostats', '-threads', '1', ...args, '-bitexact', output);
  core.reset();
  if (status !== 0) throw new Error(messages.join('\n'));
  const file = core.FS.readFile(output);
  console.log(output, file.length, createHash('sha256').update(file).digest('hex'));
}

const video = 'testsrc=size=160x120:rate=10:duration=1';
const audio = 'sine=frequency=440:duration=1';
ffmpeg('clip.mp4', '-f', 'lavfi', '-i', video, '-f', 'lavfi', '-i', audio,
  '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac');
ffmpeg('clip.webm', '-i', 'clip.mp4', '-vf', 'hflip', '-c:v', 'libvpx', '-c:a', 'libvorbis');
if (finish) finish();
