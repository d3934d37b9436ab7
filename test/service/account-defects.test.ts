import { describe, expect, it } from 'vitest';
import { accountDefectNames, dialectNames, type AccountDefectName } from '../../preload/contract/names.ts';
import { bob, startWithAccountCalls } from './support/account-service.ts';
import { ada } from './support/make-service.ts';

type Service = Awaited<ReturnType<typeof startWithAccountCalls>>;
/** Returns whether the rule was broken at a new service. */
type Probe = (service: Service) => Promise<boolean>;

const newPassword = 'difference engine';

const pendingLogin = async ({ send, pendingTokenOf }: Service, body: object) =>
  send('POST', '/login/code', { body: { pendingToken: await pendingTokenOf(ada), ...body } });

/** What each defect breaks, tried in every way in which it may show. */
const probes: Record<AccountDefectName, Probe[]> = {
  'code-accepted-twice': [
    async (service) => {
      const { secret } = await service.enroll(ada);
      const code = service.codeOf(secret);
      await service.tokenOf(ada, { code });
      return (await service.login(ada, { code })).status === 200;
    },
    async (service) => {
      const { secret } = await service.enroll(ada);
      const code = service.codeOf(secret);
      expect((await pendingLogin(service, { code })).status).toBe(200);
      return (await pendingLogin(service, { code })).status === 200;
    },
  ],
  'old-codes-accepted': [
    async (service) => {
      const { secret } = await service.enroll(ada);
      await service.advance(300_000);
      await service.tokenOf(ada, { code: service.codeOf(secret) });
      return (await service.login(ada, { code: service.codeOf(secret, -3) })).status === 200;
    },
    async (service) => {
      const { secret } = await service.enroll(ada);
      await service.advance(300_000);
      expect((await pendingLogin(service, { code: service.codeOf(secret, -11) })).status).toBe(422);
      return (await pendingLogin(service, { code: service.codeOf(secret, -10) })).status === 200;
    },
  ],
  'wrong-codes-unlimited': [
    async (service) => {
      const { secret } = await service.enroll(ada);
      for (let round = 0; round < 5; round += 1) await service.login(ada, { code: service.wrongCodeOf(secret) });
      return (await service.login(ada, { code: service.wrongCodeOf(secret) })).status === 422;
    },
    async (service) => {
      const { secret } = await service.enroll(ada);
      const body = { pendingToken: await service.pendingTokenOf(ada), code: service.wrongCodeOf(secret) };
      for (let round = 0; round < 5; round += 1) await service.send('POST', '/login/code', { body });
      return (await service.send('POST', '/login/code', { body })).status === 422;
    },
  ],
  'pending-token-opens-profile': [
    async (service) => {
      await service.enroll(ada);
      return (await service.profile(await service.pendingTokenOf(ada))) === 200;
    },
  ],
  'code-not-required': [
    ...[{ code: '' }, { code: null }, { code: [] }, { code: 0 }, {}].map((body): Probe => async (service) => {
      await service.enroll(ada);
      return (await pendingLogin(service, body)).status === 200;
    }),
    ...['', null, [], {}].map((code): Probe => async (service) => {
      await service.enroll(ada);
      const isAsked = (await service.login(ada)).status === 403;
      return isAsked && (await service.login(ada, { code })).status === 200;
    }),
  ],
  'code-of-other-account': [
    async (service) => {
      await service.enroll(ada);
      const { secret } = await service.enroll(bob);
      return (await service.login(ada, { code: service.codeOf(secret) })).status === 200;
    },
    async (service) => {
      await service.enroll(ada);
      const { secret } = await service.enroll(bob);
      return (await pendingLogin(service, { code: service.codeOf(secret) })).status === 200;
    },
  ],
  'recovery-code-reusable': [
    async (service) => {
      const { recoveryCodes } = await service.enroll(ada);
      await service.tokenOf(ada, { recoveryCode: recoveryCodes[3] });
      return (await service.login(ada, { recoveryCode: recoveryCodes[3] })).status === 200;
    },
  ],
  'pending-token-reusable': [
    async (service) => {
      const { secret } = await service.enroll(ada);
      const pendingToken = await service.pendingTokenOf(ada);
      const statuses: number[] = [];
      for (const steps of [-1, 0, 1]) {
        const body = { pendingToken, code: service.codeOf(secret, steps) };
        statuses.push((await service.send('POST', '/login/code', { body })).status);
      }
      expect(statuses[0]).toBe(200);
      return statuses[1] === 200 && statuses[2] === 200;
    },
  ],
  'current-password-ignored': ['another one', '', null, undefined].map((currentPassword): Probe => async (service) => {
    await service.send('POST', '/registro', { body: ada });
    const token = await service.tokenOf(ada);
    const { status } = await service.send('PUT', '/password', { body: { currentPassword, newPassword }, token });
    return status === 200 && (await service.login({ ...ada, password: newPassword })).status === 200;
  }),
  'sessions-outlive-password': [
    async (service) => {
      await service.send('POST', '/registro', { body: ada });
      const [token, other] = [await service.tokenOf(ada), await service.tokenOf(ada)];
      const body = { currentPassword: ada.password, newPassword };
      expect((await service.send('PUT', '/password', { body, token })).status).toBe(200);
      expect(await service.profile(token)).toBe(200);
      const isLive = (await service.profile(other)) === 200;
      // A logout ends it.
      await service.send('POST', '/salir', { token: other });
      expect(await service.profile(other)).toBe(401);
      return isLive;
    },
  ],
  'old-password-works': [
    async (service) => {
      await service.send('POST', '/registro', { body: ada });
      const token = await service.tokenOf(ada);
      const body = { currentPassword: ada.password, newPassword };
      expect((await service.send('PUT', '/password', { body, token })).status).toBe(200);
      expect((await service.login({ ...ada, password: newPassword })).status).toBe(200);
      expect((await service.login({ ...ada, password: 'another one' })).status).toBe(401);
      return (await service.login(ada)).status === 200;
    },
  ],
  'deleted-without-password': [{ password: 'another one' }, { password: '' }, {}, undefined].map(
    (body): Probe =>
      async (service) => {
        await service.send('POST', '/registro', { body: ada });
        const token = await service.tokenOf(ada);
        const { status } = await service.send('DELETE', '/account', { body, token });
        return status === 200 && (await service.login(ada)).status === 401;
      },
  ),
  'token-outlives-account': [
    async (service) => {
      await service.send('POST', '/registro', { body: ada });
      const [token, other] = [await service.tokenOf(ada), await service.tokenOf(ada)];
      expect((await service.send('DELETE', '/account', { body: ada, token })).status).toBe(200);
      expect((await service.login(ada)).status).toBe(401);
      expect((await service.send('POST', '/registro', { body: ada })).status).toBe(201);
      return (await service.profile(token)) === 200 && (await service.profile(other)) === 200;
    },
  ],
  'forgot-tells': [tells('/password/forgot')],
  'resend-tells': [tells('/email/resend')],
};

function tells(at: string): Probe {
  return async ({ send }) => {
    await send('POST', '/registro', { body: ada });
    expect((await send('POST', at, { body: { email: ` ${ada.email.toUpperCase()} ` } })).status).toBe(200);
    expect((await send('POST', at, { body: { email: 'none' } })).status).toBe(422);
    const unknown = await send('POST', at, { body: { email: 'nobody@example.test' } });
    return unknown.status === 404 && unknown.body['message'] === 'No account has this email.';
  };
}

const rows = accountDefectNames.flatMap((defect) =>
  probes[defect].map((probe, index) => ({ defect, way: index + 1, probe })),
);

describe('a simulated vulnerability of the account calls', () => {
  it.each(rows)('$defect breaks its rule, which holds without it (way $way)', async ({ defect, probe }) => {
    const right = await startWithAccountCalls();
    expect(await probe(right)).toBe(false);
    const wrong = await startWithAccountCalls({ faultInjection: { accountDefects: [defect] } });
    expect(await probe(wrong)).toBe(true);
  });

  it.each(rows)('the rule of $defect is not broken by all others (way $way)', async ({ defect, probe }) => {
    const others = accountDefectNames.filter((name) => name !== defect);
    const { faultInjection, ...service } = await startWithAccountCalls();
    faultInjection.set({ accountDefects: others });
    expect(await probe({ faultInjection, ...service })).toBe(false);
  });

  it('ends together with the sessions that it kept or made', async () => {
    const service = await startWithAccountCalls({
      faultInjection: {
        accountDefects: [
          'sessions-outlive-password',
          'token-outlives-account',
          'pending-token-opens-profile',
          'old-password-works',
        ],
      },
    });
    const { send, tokenOf, profile, login, faultInjection, enroll, pendingTokenOf } = service;
    await send('POST', '/registro', { body: ada });
    const [token, other] = [await tokenOf(ada), await tokenOf(ada)];
    await send('PUT', '/password', { body: { currentPassword: ada.password, newPassword }, token });
    await enroll(bob);
    const pending = await pendingTokenOf(bob);
    const carl = { ...ada, email: 'carl@example.test' };
    await send('POST', '/registro', { body: carl });
    const deleted = await tokenOf(carl);
    await send('DELETE', '/account', { body: carl, token: deleted });
    const statuses = () => Promise.all([other, pending, deleted].map((each) => profile(each)));
    expect([await statuses(), (await login(ada)).status]).toEqual([[200, 200, 200], 200]);
    faultInjection.set({ accountDefects: [] });
    expect([await statuses(), (await login(ada)).status]).toEqual([[401, 401, 401], 401]);
  });

  it('goes together with guessable tokens', async () => {
    const service = await startWithAccountCalls({
      faultInjection: { defects: ['tokens-guessable'], accountDefects: ['pending-token-opens-profile'] },
    });
    const { secret } = await service.enroll(ada);
    const done = await pendingLogin(service, { code: service.codeOf(secret) });
    expect(String(done.body['token'])).toMatch(/^\d+\|0{38}/);
    expect(await service.profile(String(done.body['token']))).toBe(200);
    expect(await service.profile(await service.pendingTokenOf(ada))).toBe(200);
  });

  it.each(dialectNames)(
    'does not need the response format %s, which has no words for a second factor',
    async (dialect) => {
      const service = await startWithAccountCalls();
      const { secret } = await service.enroll(ada);
      service.faultInjection.set({ dialect });
      const statuses = [(await service.login(ada)).status];
      statuses.push((await service.login(ada, { code: service.wrongCodeOf(secret) })).status);
      for (const status of statuses) expect([400, 403, 409, 422]).toContain(status);
      service.faultInjection.set({ dialect: undefined });
      expect((await pendingLogin(service, { code: service.codeOf(secret) })).status).toBe(200);
    },
  );

  it('changes nothing without the account calls', async () => {
    const { faultInjection, send, login } = await startWithAccountCalls({ accountCalls: false });
    faultInjection.set({ accountDefects: accountDefectNames });
    await send('POST', '/registro', { body: ada });
    expect((await login(ada, { code: null })).status).toBe(200);
    expect((await send('POST', '/password/forgot', { body: ada })).status).toBe(404);
  });
});
