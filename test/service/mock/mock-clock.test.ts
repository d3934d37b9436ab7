import { describe, expect, it, vi } from 'vitest';
import type { MockDefinition, TokenForm } from '../../../main/service/mock/mock-definition.ts';
import { briefly, changed, learnFrom } from '../support/mock-servers.ts';
import { ada } from '../support/make-service.ts';
import { startWithClock } from '../support/clock-service.ts';

// Others may use the machine, too.
vi.setConfig({ testTimeout: 120_000 });

const learned = learnFrom('service', briefly);
const HOUR_MS = 3_600_000;

/** A mock server whose tokens live for an hour, and which lets two logins fail within 40 seconds. */
const withEnds = async (token: TokenForm): Promise<MockDefinition> =>
  changed((await learned).model, (copy) => {
    copy.token = token;
    copy.rules.tokenSeconds = { value: 3600, calls: ['call'] };
    copy.rules.failedLogins = { value: { most: 2, windowSeconds: 40 }, calls: ['call'] };
  });

const forms: TokenForm[] = [
  { kind: 'opaque', hasId: true, segments: [{ of: 'letters-and-digits', count: 48 }], calls: [] },
  { kind: 'opaque', hasId: false, segments: [{ of: 'hex', count: 40 }], calls: [] },
];

describe('a mock server whose clock is moved', () => {
  it.each(forms)('takes a token one second before its end and not one second after', async (form) => {
    const mockServer = await startWithClock({ file: ':memory:' }, { mock: await withEnds(form) });
    await mockServer.post('register', { ...ada, cpassword: ada.password });
    const before = await mockServer.token();
    await mockServer.move(HOUR_MS - 1000);
    const ahead = await mockServer.token();
    expect([await mockServer.statusOf(before), await mockServer.statusOf(ahead)]).toEqual([200, 200]);
    await mockServer.move(2000);
    expect([await mockServer.statusOf(before), await mockServer.statusOf(ahead)]).toEqual([401, 200]);
    expect(await mockServer.to('newest-token-end')).toMatchObject({ ok: true, clock: { aheadMs: 2 * HOUR_MS - 1000 } });
    expect(await mockServer.statusOf(ahead)).toBe(401);
    await mockServer.to('now');
    expect([await mockServer.statusOf(before), await mockServer.statusOf(ahead)]).toEqual([200, 200]);
  });
});
