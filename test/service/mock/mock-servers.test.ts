import { randomBytes } from 'node:crypto';
import { startForeignServer } from '../../support/foreign-server.ts';
import { describe, expect, it, vi } from 'vitest';
import { CaseId } from '../../../preload/contract/report-cases.ts';
import { formatRemarks } from '../../../main/check/mock-generator/format-remarks.ts';
import { verifyMock } from '../../../main/check/mock-generator/verify-mock.ts';
import { parseFault } from '../../../main/service/fault-injection/faults.ts';
import type { MockDefinition } from '../../../main/service/mock/mock-definition.ts';
import { startExtendedService } from '../../../main/service/fault-injection/extended-service.ts';
import { measureAndLearn, proveMock, sayDifference } from '../../prove/mocks.ts';
import { startOddServer } from '../support/odd-servers.ts';
import { startRacingServer } from '../support/racing-server.ts';
import { changed, startMock, haste, learnFrom } from '../support/mock-servers.ts';

// Others may use the machine, too.
vi.setConfig({ testTimeout: 120_000 });

/** The model of the service, learned once for all tests that change something of it. */
const learned = learnFrom('dialect:sanctum');

const differencesOf = async (model: MockDefinition): Promise<string[]> => {
  const { baseUrl } = await startMock(model);
  const { comparison } = await verifyMock((await learned).report, baseUrl, haste);
  return comparison.differences.map(sayDifference);
};

const answerOf = (model: MockDefinition, operation: string, situation: string) => {
  const found = model.answers.find((each) => each.operation === operation && each.situation === situation);
  if (!found) throw new Error(`The model has no answer to ${operation} ${situation}`);
  return found;
};

describe('a mock server', () => {
  it.each(['service', 'dialect:spring', 'wrong:tokens-guessable'])(
    'answers the check as its original does: %s',
    async (name) => {
      const { cases, differences, unknown } = await proveMock(name, haste);
      expect({ differences, unknown }).toEqual({ differences: [], unknown: [] });
      expect(cases).toBeGreaterThan(50);
    },
  );

  it('differs in exactly what is changed: one status, one place, one rule', async () => {
    const { model } = await learned;
    expect(await differencesOf(model)).toEqual([]);
    const status = changed(model, (copy) => void (answerOf(copy, 'logout', 'done').status = 202));
    expect(await differencesOf(status)).toEqual([
      'logout.served logout-sent logout',
      'logout.answer success-status logout',
    ]);
    const place = changed(model, (copy) => {
      const { body } = answerOf(copy, 'profile', 'done');
      if (body.kind !== 'json' || !('fields' in body.template)) throw new Error('The profile is an object');
      body.template.fields = body.template.fields.filter(([name]) => name !== 'created_at');
    });
    expect(await differencesOf(place)).toEqual(['profile.answer success-fields profile']);
    const rule = changed(model, (copy) => void (copy.rules.logoutEnds.value = 'nothing'));
    expect(await differencesOf(rule)).toEqual([
      'logout.same-token-afterwards profile-after-logout profile',
      'logout.twice logout-again logout',
      'logout.same-token-afterwards token-outlives-logout new',
    ]);
  });

  it('has the faults of the service on top, in the words of its original', async () => {
    const { model } = await learned;
    const read = ['profile:expired:1', 'login:429=7:1'].map(parseFault);
    const faults = read.flatMap((each) => (each.ok ? [each.fault] : []));
    const { baseUrl } = await startMock(model, { faultInjection: { faults } });
    const profile = await fetch(`${baseUrl}/api/v1/auth/perfil`, { headers: { accept: 'application/json' } });
    expect([profile.status, await profile.json()]).toEqual([401, { message: 'Unauthenticated.' }]);
    const login = await fetch(`${baseUrl}/api/v1/auth/login`, { method: 'POST' });
    expect([login.status, login.headers.get('retry-after')]).toEqual([429, '7']);
  });

  it('listens on loopback only', async () => {
    const { model: mock } = await learned;
    const started = await startExtendedService({
      database: { file: ':memory:' },
      port: 0,
      listen: '0.0.0.0',
      mock,
    });
    expect(started).toMatchObject({ ok: false, kind: 'mock-beyond-loopback' });
  });

  it('rests on calls of the report, and says what was not measured', async () => {
    const { model, report } = await learned;
    const calls = new Set(report.evidence.map(({ id }) => id));
    const its = [...model.answers, ...Object.values(model.rules).flat(), model.token].flatMap(
      (each) => each?.calls ?? [],
    );
    expect(its.filter((id) => !calls.has(id))).toEqual([]);
    expect(model.answers.every(({ calls: its }) => its.length > 0)).toBe(true);
    const inEnglish = formatRemarks(model, 'en');
    const open = 'The check did not show how many logins may fail in a row: the mock has no limit there.';
    expect(inEnglish).toContainEqual(expect.stringContaining(open));
    // Each of them is said in the other language, too.
    expect(formatRemarks(model, 'es').filter((sentence) => inEnglish.includes(sentence))).toEqual([]);
    expect(inEnglish).toHaveLength(model.notMeasured.length);
    expect(inEnglish.filter((sentence) => /\{\{|undefined/.test(sentence))).toEqual([]);
  });

  it('speaks first of the field that its original speaks of first', async () => {
    const original = await startOddServer('the last field is told first');
    const reversed = await measureAndLearn(original.baseUrl, haste).finally(() => void original.close());
    expect(reversed.model.rules.fieldOrder.value).toEqual(['name', 'email', 'cpassword', 'password']);
    const { model } = await learned;
    const first = async (order: MockDefinition['rules']['fieldOrder']['value']): Promise<unknown> => {
      const ordered = changed(model, ({ rules }) => {
        rules.fieldOrder.value = order;
        rules.tellsAllProblems.value = false;
      });
      const { baseUrl } = await startMock(ordered);
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${baseUrl}/api/v1/auth/register`, { method: 'POST', headers, body: '{}' });
      const { errors } = (await answer.json()) as { errors: object };
      return Object.keys(errors)[0];
    };
    expect(await first(['email', 'password', 'name', 'cpassword'])).toBe('email');
    expect(await first(['password', 'name', 'email', 'cpassword'])).toBe('password');
    expect(await first(['name', 'email', 'password', 'cpassword'])).toBe('name');
  });

  it('learns nothing of calls that were sent at once, whose order is chance', async () => {
    const learnedWith = async (races: boolean): Promise<string[]> => {
      const original = await startRacingServer({ checksFirst: true, revives: true });
      const options = { ...haste.options, races, only: [...(haste.options?.only ?? []), ...(races ? raceCases : [])] };
      const { model } = await measureAndLearn(original.origin, { ...haste, options }).finally(
        () => void original.close(),
      );
      const { refusesTakenEmail, logoutEnds, tokensPerAccount } = model.rules;
      return [
        ...model.answers.map(({ operation, situation, status }) => `${operation} ${situation} ${status}`),
        JSON.stringify([refusesTakenEmail.value, logoutEnds.value, tokensPerAccount.value, model.remarks]),
      ].toSorted();
    };
    const without = await learnedWith(false);
    // A run with more cases has fewer accounts left for some.
    expect((await learnedWith(true)).filter((each) => !without.includes(each))).toEqual([]);
  });

  it('tells people apart whose addresses differ in their letters only, where its original does', async () => {
    const { post } = await startMockOfForeign({});
    const [small, large] = [await post('registro', 'ana@example.test'), await post('registro', 'ANA@example.test')];
    const answered = (email: string) => ({ status: 201, said: { id: expect.any(Number) as number, email } });
    expect([small, large]).toEqual([answered('ana@example.test'), answered('ANA@example.test')]);
    expect(Reflect.get(large.said as object, 'id')).not.toBe(Reflect.get(small.said as object, 'id'));
  });

  it('has no profile and no logout where its original has none, also with a token', async () => {
    const missing = { status: 404, body: { mensaje: 'No existe' } };
    const { post, withToken } = await startMockOfForeign({ profile: missing, logout: missing });
    await post('registro', 'ana@example.test');
    const { said } = await post('login', 'ana@example.test');
    const [token] = /\d+\|[\da-f]+/.exec(JSON.stringify(said)) ?? [];
    expect(token).toBeDefined();
    for (const [method, path] of [
      ['GET', 'perfil'],
      ['POST', 'salir'],
    ] as const)
      expect(await withToken(method, path, token!)).toEqual([404, missing.body]);
  });
});

const raceCases = CaseId.options.filter((id) => id.startsWith('races.'));

/** Makes the mock server of a server that tells letters apart and numbers its people, and answers some paths as it is told. */
async function startMockOfForeign(answers: Partial<Record<'profile' | 'logout', { status: number; body: object }>>) {
  const foreign: Awaited<ReturnType<typeof startForeignServer>> = await startForeignServer({
    override({ path: called, body }) {
      const [, name = ''] = /"name":"([^"]*)"/.exec(body) ?? [];
      const [, email = ''] = /"email":"([^"]*)"/.exec(body) ?? [];
      const [, password = ''] = /"password":"([^"]*)"/.exec(body) ?? [];
      const account = foreign.accounts.get(email);
      if (called.endsWith('/perfil')) return answers.profile;
      if (called.endsWith('/salir')) return answers.logout;
      if (called.endsWith('/login') && account?.password === password) {
        const token = `${foreign.tokens.size + 41}|${randomBytes(20).toString('hex')}`;
        foreign.tokens.set(token, email);
        return { status: 200, body: { datos: { access_token: token } } };
      }
      if (!called.endsWith('/registro') || account || name === '') return undefined;
      const id = foreign.accounts.size + 7;
      foreign.accounts.set(email, { id, name, password });
      return { status: 201, body: { id, email } };
    },
  });
  const { model } = await measureAndLearn(foreign.baseUrl, haste);
  const { baseUrl } = await startMock(model);
  const call = (path: string, init: RequestInit) => fetch(`${baseUrl}/api/v1/auth/${path}`, init);
  return {
    post: async (path: 'registro' | 'login', email: string): Promise<{ status: number; said: unknown }> => {
      const body = JSON.stringify({ name: 'Ana', email, password: 'correct horse battery' });
      const answer = await call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return { status: answer.status, said: await answer.json() };
    },
    withToken: async (method: string, path: string, token: string): Promise<[number, unknown]> => {
      const answer = await call(path, { method, headers: { authorization: `Bearer ${token}` } });
      return [answer.status, await answer.json()];
    },
  };
}
