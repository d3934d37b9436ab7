import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startService } from '../../main/service/server.ts';
import { makeMain, type Main } from '../support/make-main.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { cheapArgon2 } from './support/make-service.ts';

const password = 'correct horse battery';

/** Starts the service as `serve` does, with what its file holds. */
async function start(file: string, port = 0) {
  const started = await startService({ database: { file }, port, argon2: cheapArgon2, rateLimit: 'off' });
  if (!started.ok) throw new Error(started.message);
  onTestFinished(() => started.service.close());
  return started.service;
}

/** Makes so many sessions at each server. */
async function logInAtEach(main: Main, counts: Record<string, number>): Promise<void> {
  for (const [serverId, count] of Object.entries(counts)) {
    await main.servers.choose({ id: serverId });
    for (let number = 1; number <= count; number += 1) {
      main.session.addAccount();
      const email = `person${number}@example.test`;
      const registration = { name: 'A Person', email, password, cpassword: '', path: 'registro' } as const;
      expect(await main.session.logins.register(registration)).toMatchObject({ ok: true });
    }
  }
}

/** Answers what each server says of each token that the application holds. */
async function statusesOf(main: Main): Promise<() => Promise<number[]>> {
  const asked = await Promise.all(
    main.sessionStore.all().map(async ({ id, baseUrl }) => ({ baseUrl, token: await main.session.tokenOf(id) })),
  );
  return () =>
    Promise.all(
      asked.map(async ({ baseUrl, token }) => {
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`${baseUrl}/api/v1/auth/perfil`, { headers }).catch(() => undefined))?.status ?? 0;
      }),
    );
}

const countOf = (statuses: readonly number[], wanted: number): number =>
  statuses.filter((status) => status === wanted).length;

describe('log out everywhere', () => {
  it('tells 18 sessions of 20 at five servers, and the two of the one that is away after a restart', async () => {
    const folder = await makeTemporaryFolder();
    const file = path.join(folder, 'away.sqlite');
    const away = await start(file);
    const there = await Promise.all([1, 2, 3, 4].map(() => start(':memory:')));
    const counts = { one: 6, two: 4, three: 4, four: 4, away: 2 };
    const [one, two, three, four] = there;
    const main = await makeMain({ one: one!, two: two!, three: three!, four: four!, away });
    await logInAtEach(main, counts);
    const statuses = await statusesOf(main);
    expect(countOf(await statuses(), 200)).toBe(20);
    await away.close();

    expect(await main.session.logoutEverywhere()).toEqual({
      ok: true,
      value: { serverNotified: 18, pendingLogouts: 2, noLogout: 0 },
    });
    expect(main.state.get().sessions).toMatchObject([
      { serverId: 'away', state: 'to-revoke', logoutPending: true },
      { serverId: 'away', state: 'to-revoke', logoutPending: true },
    ]);
    expect(main.state.get().session).toMatchObject({ notice: { kind: 'logged-out-here-only' } });
    expect(countOf(await statuses(), 401)).toBe(18);

    const back = await start(file, away.port);
    expect(back.baseUrl).toBe(away.baseUrl);
    expect([countOf(await statuses(), 401), countOf(await statuses(), 200)]).toEqual([18, 2]);
    const next = await makeMain({}, { folder: main.folder, store: main.store });
    await next.application.begin();
    await vi.waitFor(() => expect(next.state.get().sessions).toEqual([]), 10_000);
    expect(countOf(await statuses(), 401)).toBe(20);
    expect(next.store).toMatchObject({ sessions: {} });
    await next.application.close();
  });
});
