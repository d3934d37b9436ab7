import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ada } from '../support/make-service.ts';
import { folder, postJson, serve, CLI, watch } from '../support/serve-process.ts';

// Each case starts a process, and others may use the machine too.
vi.setConfig({ testTimeout: 60_000 });

const commands = dirname(CLI);

describe('what a command says', () => {
  it.each(['serve', 'check', 'mock'])('may lose its reader, as behind `head`: %s', async (name) => {
    const child = spawn(process.execPath, [CLI, name, '--help'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    expect(await watch(child).ended).toMatchObject({ code: 0, err: '' });
  });

  it.each(['serve', 'check', 'mock'])('ends with one sentence and 4 where the disk is full: %s', (name) => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const { status, stderr } = spawnSync(process.execPath, [CLI, name, '--help'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([4, 'Standard output cannot be written (ENOSPC).\n']);
  });

  it('is not needed for the service to go on', async () => {
    const run = serve(['--port', '0', '--data', folder(), '--log-requests']);
    const { baseUrl } = await run.ready();
    run.child.stdout?.destroy();
    run.child.stderr?.destroy();
    for (const status of [201, 422, 422]) expect((await postJson(baseUrl, 'registro', ada)).status).toBe(status);
    run.child.kill('SIGTERM');
    expect(await run.ended).toMatchObject({ code: 0, signal: null });
  });

  it('ends a command that goes on only to say something', async () => {
    const saysForEver = `
      import { runAsProcess } from ${JSON.stringify(join(commands, 'run-command.ts'))};
      process.exitCode = await runAsProcess(({ out, stop }) => new Promise((resolve) => {
        const timer = setInterval(() => out('said\\n'), 10);
        stop.addEventListener('abort', () => resolve(clearInterval(timer) ?? 0));
      }), { endsSoon: true, endsWithReaders: true });`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', saysForEver], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await watch(child).ended).toMatchObject({ code: 0, signal: null });
  });
});
