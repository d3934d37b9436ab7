import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readReport, renderJsonReport } from '../../../main/check/reports/json-report.ts';
import { renderReport } from '../../../main/check/reports/render-report.ts';
import { createRunVerdict } from '../../../preload/contract/run-verdict.ts';
import { RunOptions, type Report, type RunProgress } from '../../../preload/contract/report.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { accountDescription, startAccountCheck, startAccountService } from '../support/account-check.ts';
import { CLI, watch } from '../support/serve-process.ts';

type Check = Awaited<ReturnType<typeof startAccountCheck>>;

/** The accounts of a check that can still be logged in to, with or without a second factor. */
async function remaining({ wire, service }: Pick<Check, 'wire' | 'service'>): Promise<string[]> {
  const sent = wire.flatMap(({ request, response }) => {
    const isRegistration = /\/regist(?:ro|er)$/.test(request.url);
    return isRegistration && response?.status === 201 ? [JSON.parse(request.body ?? '') as Record<string, string>] : [];
  });
  const there: string[] = [];
  for (const { email, password } of sent) {
    const response = await fetch(`${service.baseUrl}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    if (response.status !== 401) there.push(email!);
  }
  expect(sent.length).toBeGreaterThan(1);
  return [...new Set(there)];
}

const description = 'llavero-service';

/** Does something once, when a case begins. */
const when = (caseId: string, act: () => void): ((progress: RunProgress) => void) => {
  let isDone = false;
  return ({ current }) => {
    if (isDone || current !== caseId) return;
    isDone = true;
    act();
  };
};

const headlineOf = async (report: Report): Promise<string> => {
  const read = readReport(renderJsonReport(report, 'en', []));
  return read.ok ? (read.report.verdict?.sentence ?? '') : '';
};

describe('the accounts of a check', () => {
  it('stay with --keep-accounts', async () => {
    const options = { keepAccounts: true, only: ['second-factor.served' as const] };
    const check = await startAccountCheck({ description, check: { options } });
    const report = await check.start();
    expect(report.cleanup).toBeUndefined();
    expect(await remaining(check)).toHaveLength(report.accounts.length);
    expect(await renderReport('markdown', report, 'en')).toContain('They were kept, as requested.');
    expect(await headlineOf(report)).not.toContain('created');
  });

  it('are deleted after the check, with the second factor that they have, as the headline says', async () => {
    const check = await startAccountCheck({ description, check: { options: { only: ['second-factor.served'] } } });
    const report = await check.start();
    expect(await remaining(check)).toEqual([]);
    expect(report.cleanup).toEqual({ created: report.accounts.length, deleted: report.accounts.length, left: [] });
    const { length } = report.accounts;
    expect(await headlineOf(report)).toMatch(new RegExp(`; ${length} accounts created, ${length} deleted$`));
  });

  it.each(['login.wrong-password', 'second-factor.repeated-code'] as const)(
    'are deleted when the check is cancelled during %s',
    async (during) => {
      const cancelling = new AbortController();
      const never = new AbortController();
      const onProgress = when(during, () => cancelling.abort(never.signal));
      const check = await startAccountCheck({ description, check: { signal: cancelling.signal, onProgress } });
      const report = await check.start();
      expect(report.ended).toEqual({ kind: 'cancelled' });
      expect(report.cleanup?.left).toEqual([]);
      expect(await remaining(check)).toEqual([]);
    },
  );

  it('are named when the check is cancelled a second time', async () => {
    const cancelling = new AbortController();
    const again = new AbortController();
    const check = await startAccountCheck({
      description,
      check: {
        signal: cancelling.signal,
        onProgress: when('second-factor.required', () => {
          cancelling.abort(again.signal);
          again.abort();
        }),
      },
    });
    const report = await check.start();
    const left = report.cleanup?.left ?? [];
    expect(left.length).toBeGreaterThan(2);
    expect(new Set(left.map(({ why }) => why))).toEqual(new Set(['interrupted']));
    expect(await headlineOf(report)).toContain(`left: ${left[0]!.email}`);
  });

  it('are deleted after a fault of ours', async () => {
    const fault = new Error('a fault of ours');
    const onProgress = when('second-factor.required', () => {
      throw fault;
    });
    const check = await startAccountCheck({ description, check: { onProgress } });
    await expect(check.start()).rejects.toBe(fault);
    expect(await remaining(check)).toEqual([]);
  });

  it('are named where the server deletes none', async () => {
    const check = await startAccountCheck({
      description,
      respond: ({ method }) => (method === 'DELETE' ? { status: 403, body: { message: 'Forbidden' } } : undefined),
      check: { options: { only: ['second-factor.served'] } },
    });
    const report = await check.start();
    const { created, deleted, left } = report.cleanup!;
    expect([created, deleted]).toEqual([report.accounts.length, 0]);
    expect(left).toEqual(report.accounts.map(({ email }) => ({ email, why: 'deletion-refused', status: 403 })));
    expect(createRunVerdict(report).exitCode).toBe(0);
    expect(await renderReport('markdown', report, 'en')).toContain('left: the deletion was rejected (403)');
  });

  it('are no others: the given account stays', async () => {
    const given = { email: 'given@example.test', password: 'the engine of Ada' };
    const check = await startAccountCheck({
      description,
      check: { account: given, options: { variant: 'register', only: ['deletion.served', 'second-factor.served'] } },
    });
    await fetch(`${check.service.baseUrl}/api/v1/auth/registro`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Given', ...given }),
    });
    const report = await check.start();
    expect(report.cleanup?.left).toEqual([]);
    const deleted = check.wire.filter(
      ({ request }) => request.method === 'DELETE' && request.body?.includes(given.password),
    );
    expect(deleted).toEqual([]);
    const login = await fetch(`${check.service.baseUrl}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(given),
    });
    expect(login.status).toBe(200);
  });
});

it('a report of an earlier version, without any of this, is still read', async () => {
  const check = await startAccountCheck({ description, check: { options: { only: ['login.answer'] } } });
  const { cleanup: _new, ...report } = await check.start();
  const { keepAccounts: _option, ...options } = report.options;
  const read = readReport(JSON.stringify({ ...report, options }));
  expect(read).toMatchObject({ ok: true, report: { options: { keepAccounts: false } } });
  expect(RunOptions.parse({}).keepAccounts).toBe(false);
});

/** Runs the command, and sends it a signal as soon as it has some accounts. */
async function interruptedAt(baseUrl: string, hasAccounts: () => Promise<boolean>) {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder, 'service.interface.json');
  await writeFile(file, JSON.stringify(await accountDescription(description)));
  const args = ['check', baseUrl, '--interface', file, '--rate', '20'];
  const { child, ended } = watch(spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] }));
  await expect.poll(hasAccounts, { timeout: 30_000 }).toBe(true);
  child.kill('SIGINT');
  return { child, ended, at: performance.now() };
}

const countOf = async ({ data }: Check['service']): Promise<number> =>
  (await data!.accounts({ offset: 0, limit: 1 })).total;

it('a signal makes the command delete its accounts', { timeout: 60_000 }, async () => {
  const service = await startAccountService([], Date.now);
  const { ended } = await interruptedAt(service.baseUrl, async () => (await countOf(service)) > 2);
  const { code, err } = await ended;
  expect(code).toBe(1);
  expect(err).toContain('Deleting the accounts of the check.');
  expect(err).toMatch(/(\d+) accounts created, \1 deleted/);
  expect(await countOf(service)).toBe(0);
});

it('a second signal ends the command at once', { timeout: 60_000 }, async () => {
  let deletions = 0;
  const { service, adapter } = await startAccountCheck({
    description,
    respond({ method }) {
      if (method !== 'DELETE') return undefined;
      deletions += 1;
      return new Promise<never>(() => undefined);
    },
  });
  const { child, ended, at } = await interruptedAt(adapter.baseUrl, async () => (await countOf(service)) > 2);
  // The signal of a whole group of processes may come twice at once.
  await expect.poll(() => deletions > 0 && performance.now() - at > 600, { timeout: 30_000 }).toBe(true);
  child.kill('SIGINT');
  const { code, err } = await ended;
  expect(code).toBe(1);
  expect(err).toMatch(/left: \S+@example\.test/);
  expect(await countOf(service)).toBeGreaterThan(2);
});
