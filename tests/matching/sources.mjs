// Sources of libraries, from the packages that bring them: crates, of which only the sources are used.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Fetches a crate, NAME-VERSION, and what it needs, into `cache`. Its folder. */
export function crate(cache, name, version, features = []) {
  const folder = join(cache, 'sources', `${name}-${version}`);
  if (existsSync(folder)) return folder;
  const project = join(cache, 'fetch', `${name}-${version}`);
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(project, 'src/lib.rs'), '');
  writeFileSync(join(project, 'Cargo.toml'), `[package]
name = "sources"
version = "0.1.0"
edition = "2021"
[dependencies]
${name} = { version = "=${version}", default-features = false, features = ${JSON.stringify(features)} }
`);
  const { status, stderr } = spawnSync('cargo', ['vendor', '--quiet', '--versioned-dirs', 'all'], { cwd: project, encoding: 'utf8' });
  if (status !== 0) throw new Error(`cargo vendor: ${name} ${version}: ${stderr}`);
  mkdirSync(join(cache, 'sources'), { recursive: true });
  for (const each of readdirSync(join(project, 'all')))
    if (!existsSync(join(cache, 'sources', each))) renameSync(join(project, 'all', each), join(cache, 'sources', each));
  rmSync(project, { recursive: true });
  return folder;
}
