import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startBuiltInServer } from '../../service/support/fault-injection.ts';
import { fileOf } from '../../support/servers-file.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const action = path.join(root, '.github/actions/check');

/** Runs a step of the action in a folder, as a runner does. */
function runStep(program: 'bash' | 'node', script: string, folder: string, given: Record<string, string>) {
  const { ELECTRON_RUN_AS_NODE: _asNode, ...inherited } = process.env;
  const env = { ...inherited, GITHUB_ACTION_PATH: action, ...given };
  return new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    execFile(program, [path.join(action, script)], { cwd: folder, env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });
}

/** Inputs that do not name the origin of the server, with what is said of each. */
const wrongOrigins = (right: string): Record<string, string> => ({
  '': `add --origin ${right}.`,
  'http://127.0.0.1:1': '--origin names http://127.0.0.1:1: nothing was sent',
  '--help': 'The option --origin takes a scheme',
  [`${right}\n--only=login.answer`]: 'The option --origin takes a scheme',
});

it('the action fails for a fault, shows it, and passes once it is accepted', { timeout: 120_000 }, async () => {
  const { service } = await startBuiltInServer({ defects: ['token-outlives-logout'] }, { isEmpty: true });
  const folder = await makeTemporaryFolder();
  const file = (...names: string[]): string => path.join(folder, ...names);
  // The step before installs a package in the place of this, which `prove -- cli` tries.
  const bin = file('llavero/node_modules/.bin');
  await mkdir(bin, { recursive: true });
  const cli = path.join(root, 'dist/cli/cli.js');
  const command = `ELECTRON_RUN_AS_NODE=1 exec '${process.execPath}' '${cli}' "$@"`;
  await writeFile(path.join(bin, 'llavero'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  const given = {
    BASE_URL: service.baseUrl,
    SERVERS: '',
    SERVER: '',
    ORIGIN: '',
    FAIL_ON: 'new',
    BASELINE: 'accepted.json',
    OPTIONS: '--rate=100\n\n--only=logout.same-token-afterwards',
    REPORTS: '',
    RUNNER_TEMP: folder,
    GITHUB_OUTPUT: file('output'),
    GITHUB_STEP_SUMMARY: file('summary'),
  };
  const reports = file('contract-run');

  for (const end of ['\nreports=/etc', '\r\nother=1', '\r'])
    expect(await runStep('bash', 'check.sh', folder, { ...given, REPORTS: `${reports}${end}` })).toMatchObject({
      code: 2,
      err: 'The input "reports" has a line break.\n',
    });
  await expect(readFile(file('output'), 'utf8')).rejects.toThrow('ENOENT');

  // Without its baseline nothing is run, and there is nothing to show.
  expect((await runStep('bash', 'check.sh', folder, given)).code).toBe(2);
  expect(await runStep('node', 'show.mjs', folder, { ...given, REPORTS: reports })).toEqual({
    code: 0,
    out: '::notice::The check ended before there was a report.\n',
    err: '',
  });

  const accepted = (faults: object[]) =>
    writeFile(
      file('accepted.json'),
      JSON.stringify({ schema: 'llavero-accepted-faults', version: 1, accepted: faults }),
    );
  await accepted([]);
  const failed = await runStep('bash', 'check.sh', folder, given);
  expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('1 high finding; ') });
  // Between these lines a runner obeys nothing that is printed.
  expect(failed.out).toMatch(/^::stop-commands::([\da-f]{32})\n[^]*\n?::\1::\n$/);
  expect(await readFile(file('output'), 'utf8')).toContain(`reports=${reports}\n`);
  const shown = await runStep('node', 'show.mjs', folder, { ...given, REPORTS: reports });
  expect(shown).toEqual({
    code: 0,
    out: '::error title=finding%3Atoken-outlives-logout::The token still works after logging out\n',
    err: '',
  });
  expect(await readFile(file('summary'), 'utf8')).toMatch(
    /^# Check report: http&#58;&#47;&#47;127[^]*\| high \| The token still works after logging out \| {2}\|\n$/,
  );

  const fault = { fault: 'finding:token-outlives-logout', case: 'logout.same-token-afterwards' };
  await accepted([{ ...fault, reason: 'Ticket 7', accepted: '2026-11-22' }]);
  await rm(reports, { recursive: true });
  // The same server by its name in a file.
  await writeFile(file('llavero.servers.json'), fileOf({ name: 'the wrong one', address: service.baseUrl }));
  const named = { ...given, BASE_URL: '', SERVERS: 'llavero.servers.json', SERVER: 'the wrong one' };
  expect((await runStep('bash', 'check.sh', folder, named)).code).toBe(0);
  const account = { LLAVERO_CHECK_EMAIL: 'ana@example.test', LLAVERO_CHECK_PASSWORD: 'correct-horse-9' };
  for (const [origin, sentence] of Object.entries(wrongOrigins(service.baseUrl))) {
    const pinned = await runStep('bash', 'check.sh', folder, { ...named, ...account, ORIGIN: origin });
    expect(pinned).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
  }
  expect((await runStep('node', 'show.mjs', folder, { ...given, REPORTS: reports })).out).toBe('');
  expect(await readFile(file('summary'), 'utf8')).toMatch(
    /\| high \| The token still works after logging out \| Ticket 7 \|\n$/,
  );
});

it('the action gives its scripts all that they read, and never writes a value into a script', async () => {
  const text = await readFile(path.join(action, 'action.yml'), 'utf8');
  const scripts = await Promise.all(
    ['install.sh', 'check.sh', 'show.mjs'].map((name) => readFile(path.join(action, name), 'utf8')),
  );
  const byRunner = new Set(['RUNNER_TEMP', 'GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY', 'GITHUB_ACTION_PATH']);
  const wanted = scripts.flatMap((script) =>
    [...script.matchAll(/(?:\$\{?|env\[')([A-Z_]+)/g)].map(([, name = '']) => name),
  );
  expect(wanted.filter((name) => !byRunner.has(name) && !text.includes(`        ${name}: `))).toEqual([]);
  expect(text.split('\n').filter((line) => line.includes('run:') && line.includes('${{'))).toEqual([]);
});
