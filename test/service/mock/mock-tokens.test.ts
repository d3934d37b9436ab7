import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import type { MockDefinition, Template, TokenForm } from '../../../main/service/mock/mock-definition.ts';
import type { DefectName } from '../../../preload/contract/names.ts';
import { briefly, changed, startMock, learnFrom } from '../support/mock-servers.ts';

const claims: Template = {
  fields: [
    ['sub', { value: { place: 'id', form: { kind: 'number' } } }],
    ['iat', { value: { place: 'time', of: 'now', form: { kind: 'epoch', unit: 's', isText: false } } }],
    ['jti', { value: { place: 'random', segments: [{ of: 'hex', count: 16 }] } }],
  ],
};
const jwt = (algorithm: string): TokenForm => ({
  kind: 'jwt',
  algorithm,
  header: { fields: [['alg', { constant: algorithm }]] },
  claims,
  calls: [],
});
const withoutJti = (form: TokenForm): TokenForm =>
  form.kind === 'jwt' && 'fields' in claims ? { ...form, claims: { fields: claims.fields.slice(0, 2) } } : form;

const hex: TokenForm = { kind: 'opaque', hasId: false, segments: [{ of: 'hex', count: 40 }], calls: [] };
const forms: Record<string, TokenForm> = {
  'with an id': { kind: 'opaque', hasId: true, segments: [{ of: 'letters-and-digits', count: 48 }], calls: [] },
  'of hexadecimal digits': hex,
  'that are UUIDs': {
    kind: 'opaque',
    hasId: false,
    segments: [
      { of: 'hex', count: 8 },
      { text: '-' },
      { of: 'hex', count: 4 },
      { text: '-4' },
      { of: 'hex', count: 15 },
    ],
    calls: [],
  },
  'that are JSON Web Tokens of HS256': jwt('HS256'),
  'that are JSON Web Tokens of ES256': jwt('ES256'),
};

// Others may use the machine, too.
vi.setConfig({ testTimeout: 120_000 });

const learned = learnFrom('service', briefly);
const ada = { name: 'Ada Lovelace', email: 'ada@example.test', password: 'correct horse battery' };
const LoggedIn = z.object({ token: z.string() });

const START_MS = 1_800_000_000_250;

/** Starts a mock server again and again over one file, at a time that stands. */
async function restarted(change: (copy: MockDefinition) => void) {
  const folder = mkdtempSync(path.join(tmpdir(), 'llavero-mock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const model = changed((await learned).model, change);
  let nowMs = START_MS;
  const start = () =>
    startMock(model, { database: { file: path.join(folder, 'a.sqlite') }, now: () => nowMs, faultInjection: {} });
  let service = await start();
  const send = (way: string, init: RequestInit) => fetch(`${service.baseUrl}/api/v1/auth/${way}`, init);
  const post = (way: string, body: unknown, token?: string) =>
    send(way, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
  expect((await post('register', { ...ada, password_confirmation: ada.password, cpassword: ada.password })).ok).toBe(
    true,
  );
  return {
    beWrong: (...defects: DefectName[]) => void service.faultInjection?.set({ defects }),
    later: (ms: number) => void (nowMs += ms),
    login: async () => LoggedIn.parse(await (await post('login', ada)).json()).token,
    logOut: async (token: string) => (await post('salir', {}, token)).status,
    statusOf: async (token: string) =>
      (await send('perfil', { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } })).status,
    answerOf: async (token: string) =>
      (await send('perfil', { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } })).text(),
    async again() {
      await service.close();
      service = await start();
    },
  };
}

describe.each(Object.entries(forms))('the tokens of a mock server %s', (_name, form) => {
  it('outlive its process, and so does the end of one', async () => {
    const mockServer = await restarted((copy) => void (copy.token = form));
    const [kept, ended] = [await mockServer.login(), await mockServer.login()];
    expect(await mockServer.logOut(ended)).toBe(200);
    await mockServer.again();
    expect([await mockServer.statusOf(kept), await mockServer.statusOf(ended)]).toEqual([200, 401]);
    expect(await mockServer.logOut(kept)).toBe(200);
    await mockServer.again();
    expect([await mockServer.statusOf(kept), await mockServer.logOut(kept)]).toEqual([401, 401]);
  });

  it('end with a later login, and with a logout that ends all, also of the process before', async () => {
    const newest = await restarted((copy) => {
      copy.token = form;
      copy.rules.tokensPerAccount.value = 'newest';
    });
    const first = await newest.login();
    await newest.again();
    const second = await newest.login();
    expect([await newest.statusOf(first), await newest.statusOf(second)]).toEqual([401, 200]);

    const all = await restarted((copy) => {
      copy.token = form;
      copy.rules.logoutEnds.value = 'all-tokens';
    });
    const one = await all.login();
    await all.again();
    const other = await all.login();
    await all.logOut(other);
    expect(await all.statusOf(one)).toBe(401);
  });

  it('end with the wrong mode that made them or kept them alive, and with its process', async () => {
    const mockServer = await restarted((copy) => void (copy.token = form));
    const kept = await mockServer.login();
    mockServer.beWrong('token-outlives-logout');
    const made = await mockServer.login();
    expect([await mockServer.logOut(kept), await mockServer.statusOf(kept), await mockServer.statusOf(made)]).toEqual([
      200, 200, 200,
    ]);
    mockServer.beWrong();
    expect([await mockServer.statusOf(kept), await mockServer.statusOf(made)]).toEqual([401, 401]);

    mockServer.beWrong('token-outlives-logout');
    const passing = await mockServer.login();
    await mockServer.again();
    expect(await mockServer.statusOf(passing)).toBe(401);
  });

  it('work until their end and no longer', async () => {
    const mockServer = await restarted((copy) => {
      copy.token = form;
      copy.rules.tokenSeconds.value = 3600;
    });
    const token = await mockServer.login();
    mockServer.later(3_599_000);
    await mockServer.again();
    expect(await mockServer.statusOf(token)).toBe(200);
    mockServer.later(2000);
    expect(await mockServer.statusOf(token)).toBe(401);
  });
});

describe('the tokens of a mock server', () => {
  it('are one for an account where its server gives one, also after a restart, and another one after its end', async () => {
    for (const form of [hex, forms['with an id'] ?? hex]) {
      const mockServer = await restarted((copy) => {
        copy.token = form;
        copy.rules.tokensPerAccount.value = 'one';
      });
      const token = await mockServer.login();
      mockServer.later(5000);
      expect(await mockServer.login()).toBe(token);
      await mockServer.again();
      expect(await mockServer.login()).toBe(token);
      await mockServer.logOut(token);
      mockServer.later(5000);
      const next = await mockServer.login();
      expect([next === token, await mockServer.statusOf(token), await mockServer.statusOf(next)]).toEqual([
        false,
        401,
        200,
      ]);
    }
  });

  it('are the same within one second where those of their server are', async () => {
    const same = await restarted((copy) => {
      copy.token = hex;
      copy.rules.sameTokenInOneSecond.value = true;
    });
    const first = await same.login();
    same.later(500);
    expect(await same.login()).toBe(first);
    same.later(500);
    expect(await same.login()).not.toBe(first);

    // Tokens that say who and when, and no more, cannot differ within a second.
    const said = await restarted((copy) => void (copy.token = withoutJti(jwt('HS256'))));
    expect(await said.login()).toBe(await said.login());
    const signed = await restarted((copy) => void (copy.token = withoutJti(jwt('ES256'))));
    const [one, other] = [await signed.login(), await signed.login()];
    expect([one === other, await signed.statusOf(one), await signed.statusOf(other)]).toEqual([false, 200, 200]);
  });

  it('are known after a restart where somebody changed their signature', async () => {
    const mockServer = await restarted((copy) => {
      copy.token = jwt('HS256');
      const missing = copy.answers.find((each) => each.operation === 'profile' && each.situation === 'token-missing');
      if (!missing) throw new Error('The model has no answer to a missing token');
      for (const situation of ['token-altered', 'token-claim-changed', 'token-ended'] as const) {
        copy.answers.push({ ...missing, situation, body: { kind: 'text', text: [situation] } });
      }
    });
    const token = await mockServer.login();
    await mockServer.again();
    const [header, payload, signature = ''] = token.split('.');
    const altered = `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const other = Buffer.from('{"sub":99}').toString('base64url');
    expect(await mockServer.answerOf(altered)).toBe('token-altered');
    expect(await mockServer.answerOf(`${header}.${other}.${signature}`)).toBe('token-claim-changed');
    await mockServer.logOut(token);
    await mockServer.again();
    expect(await mockServer.answerOf(token)).toBe('token-ended');
  });
});

describe('what a mock server says again', () => {
  it('has the digits that it was sent with', async () => {
    const { model } = await learned;
    const echoing = changed(model, ({ answers }) => {
      for (const each of answers) {
        if (each.situation === 'done') each.body = { kind: 'json', template: { value: { place: 'sent-body' } } };
      }
    });
    const { baseUrl } = await startMock(echoing);
    const body = JSON.stringify({ ...ada, more: 7 }).replace('7', '[1379505554728411138,1.0,-0,1e400,7]');
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${baseUrl}/api/v1/auth/registro`, { method: 'POST', headers, body });
    expect(await answer.text()).toBe(body);
  });
});
