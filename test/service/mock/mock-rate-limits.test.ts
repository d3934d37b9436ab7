import { describe, expect, it, vi } from 'vitest';
import { verifyMock } from '../../../main/check/mock-generator/verify-mock.ts';
import { startExtendedService } from '../../../main/service/fault-injection/extended-service.ts';
import { measureAndLearn, sayDifference, type Haste } from '../../prove/mocks.ts';
import { standingClock } from '../support/run-check.ts';
import { startMock } from '../support/mock-servers.ts';
import { ada, cheapArgon2 } from '../support/make-service.ts';

vi.setConfig({ testTimeout: 120_000 });

const haste: Haste = {
  argon2: cheapArgon2,
  clock: standingClock(),
  options: { throttling: true, only: ['login.right-credentials', 'login.wrong-password', 'limits.throttling'] },
};

describe('the limits of a mock server', () => {
  it('are those of its original where they were measured, with their window, words and wait', async () => {
    const started = await startExtendedService({
      database: { file: ':memory:' },
      port: 0,
      argon2: cheapArgon2,
      limits: { login: { most: 3, windowSeconds: 90 } },
    });
    if (!started.ok) throw new Error(started.message);
    const { report, model } = await measureAndLearn(started.service.baseUrl, haste);
    await started.service.close();
    expect(model.rules.failedLogins).toMatchObject({ value: { most: 3, windowSeconds: 90 } });
    expect(model.notMeasured).not.toContainEqual(expect.objectContaining({ rule: 'failedLogins' }));
    expect(model.notMeasured).toContainEqual(expect.objectContaining({ kind: 'other-types' }));

    const { baseUrl } = await startMock(model, { rateLimit: 'on' });
    const post = (path: string, body: unknown) =>
      fetch(`${baseUrl}/api/v1/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await post('registro', ada);
    const wrong = { email: ada.email, password: 'not the one at all' };
    for (const status of [401, 401, 401, 429]) expect((await post('login', wrong)).status).toBe(status);
    const refused = await post('login', ada);
    const wait = Number(refused.headers.get('retry-after'));
    expect([refused.status, wait > 60 && wait <= 90]).toEqual([429, true]);
    expect(JSON.stringify(await refused.json())).toContain(String(wait));

    const again = await startMock(model, { rateLimit: 'on' });
    const { comparison } = await verifyMock(report, again.baseUrl, haste);
    expect(comparison.differences.map(sayDifference)).toEqual([]);
  });
});
