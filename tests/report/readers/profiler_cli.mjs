/** profiler-cli, the Firefox Profiler's own code without its page. */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { packageFile } from '../../support/tools.mjs';

/**
 * The answers of profiler-cli to `commands` about a file. It asks a process that keeps the profile; `load` gives
 * that one half a second to start, so it is started here. Asked too early, profiler-cli would take
 * it for dead and forget it: the log tells when it is there.
 */
export async function askProfiler(file, commands) {
  const folder = mkdtempSync(path.join(tmpdir(), 'wi-')); // a short name, since a socket goes there
  const env = { ...process.env, PROFILER_CLI_SESSION_DIR: folder };
  const program = packageFile('@firefox-devtools/profiler-cli/dist/profiler-cli.js');
  const session = ['--session', 'test'];
  const daemon = spawn(process.execPath, [program, '--daemon', file, ...session], { env, stdio: 'ignore' });
  const log = () => readFileSync(path.join(folder, 'test.log'), { encoding: 'utf8', flag: 'a+' });
  const ask = (command) => {
    const args = [program, ...command, '--json', ...session];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', maxBuffer: 1 << 30 });
    assert.equal(status, 0, `profiler-cli ${command}: ${stderr}`);
    return JSON.parse(stdout);
  };
  try {
    while (!/Profile loaded/.test(log())) {
      assert.doesNotMatch(log(), /^\[ERROR\]/m);
      assert.equal(daemon.exitCode ?? daemon.signalCode, null, 'profiler-cli has ended');
      await setTimeout(50);
    }
    return commands.map(ask);
  } finally {
    daemon.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}
