import { describe, expect, it } from 'vitest';
import type { ClientResult } from '../../main/client/client.ts';
import { dialects, type DialectName } from '../../main/service/behaviour/dialects.ts';
import { dialects as shapes } from '../support/answer-shapes.ts';
import { ada } from './support/make-service.ts';
import { clientAt, fault, startBuiltInServer } from './support/behaviour.ts';

const names = Object.keys(dialects) as DialectName[];
const registration = { ...ada, cpassword: ada.password };

/** A dialect does not say these, so no client could read them. */
const unsaid: Partial<Record<DialectName, { name?: true; otherFields?: true; wait?: true }>> = {
  nestjs: { name: true },
  'error-true': { otherFields: true },
  fastapi: { wait: true },
};

function expectOk(result: ClientResult) {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.reading.meaning;
}

function expectFailure(result: ClientResult) {
  if (result.ok) throw new Error(JSON.stringify(result.reading));
  return { error: result.error, meaning: result.reading?.meaning };
}

describe.each(names)('the client at a service that speaks %s', (dialect) => {
  const says = unsaid[dialect] ?? {};

  it('registers, logs in, sees the profile, logs out, and learns that the token is dead', async () => {
    const { service, behaviour } = await startBuiltInServer({ dialect }, { isEmpty: true });
    const client = clientAt(service.baseUrl);

    for (const path of ['register', 'registro'] as const) {
      const email = `${path}@example.test`;
      const registered = expectOk(await client.register({ path, ...registration, email }));
      expect(registered.token !== undefined).toBe(dialects[dialect].issuesTokenOnRegistration);
      if (registered.token !== undefined) expectOk(await client.profile(registered.token));
    }
    const { token = '' } = expectOk(await client.login({ ...ada, email: 'register@example.test' }));
    expect(token).toMatch(/^\d+\|[A-Za-z0-9]{48}$/);
    const { user } = expectOk(await client.profile(token));
    expect(user?.email).toBe('register@example.test');
    expect(user?.name).toBe(says.name ? undefined : ada.name);

    expectOk(await client.logout(token));
    expect(expectFailure(await client.profile(token)).error.kind).toBe('unauthenticated');
    expect(expectFailure(await client.logout(token)).error.kind).toBe('unauthenticated');
    expect(behaviour.set({ dialect: undefined }).isOn).toBe(false);
    expect(expectFailure(await client.profile(token)).meaning?.message).toBe('Unauthenticated.');
  });

  it('is told of wrong credentials, fields, taken emails, throttling and failures', async () => {
    const { service, behaviour } = await startBuiltInServer({ dialect });
    const client = clientAt(service.baseUrl);

    const guess = expectFailure(await client.login({ ...ada, password: 'not the one' }));
    expect(guess.error.kind).toBe('unauthenticated');
    const unknown = expectFailure(await client.login({ ...ada, email: 'eve@example.test' }));
    expect(unknown.error).toEqual(guess.error);

    const taken = expectFailure(await client.register({ path: 'register', ...registration }));
    expect(taken.meaning?.message ?? taken.meaning?.fieldErrors).toBeDefined();
    expect(Object.keys(taken.meaning?.fieldErrors ?? {})).toEqual(['email']);
    const invalid = expectFailure(
      await client.register({ path: 'register', name: '', email: 'x', password: 'short', cpassword: 'other' }),
    );
    const found = Object.keys(invalid.meaning?.fieldErrors ?? {});
    expect(found).toEqual(says.otherFields ? ['name'] : ['name', 'email', 'password', 'cpassword']);

    behaviour.set({ faults: [fault('login:429=42:1'), fault('login:500:1')] });
    const throttled = expectFailure(await client.login(ada));
    expect(throttled.error.kind).toBe('throttled');
    expect(throttled.meaning?.retryAfterSeconds).toBe(says.wait ? undefined : 42);
    expect(expectFailure(await client.login(ada)).error.kind).toBe('server-fault');
    expectOk(await client.login(ada));
  });
});

/** Describes what a value is made of: names and types, without what they hold. */
function typeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, typeOf(each)]));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Compares shapes. One of each kind is enough in maps of fields and lists, which hold as much as there is wrong. */
function hasShapeOf(ours: unknown, theirs: unknown): boolean {
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const kinds = new Set(theirs.map((each) => JSON.stringify(typeOf(each))));
    return ours.every((each) => kinds.has(JSON.stringify(typeOf(each))));
  }
  if (!isRecord(ours) || !isRecord(theirs)) return typeOf(ours) === typeOf(theirs);
  const isFieldMap = [ours, theirs].every((map) => Object.values(map).every(Array.isArray));
  if (isFieldMap) return Object.values(ours).every((texts) => hasShapeOf(texts, Object.values(theirs)[0]));
  return (
    Object.keys(ours).join() === Object.keys(theirs).join() &&
    Object.entries(ours).every(([name, each]) => hasShapeOf(each, theirs[name]))
  );
}

const typeOfContent = (value: string | null | undefined): string | undefined => value?.toLowerCase();

describe.each(names)('the answers of %s', (dialect) => {
  it('have the shapes of the real servers that they name', async () => {
    const { behaviour, post, login, perfil, salir, token } = await startBuiltInServer({ dialect });
    const eve = { ...registration, email: 'eve@example.test' };
    const seen = {
      registered: await post('register', eve),
      loggedIn: await login(),
      profile: await perfil(token),
      loggedOut: await salir(token),
      unauthenticated: await perfil(token),
      wrongCredentials: await login({ ...ada, password: 'not the one' }),
      invalid: await post('register', { email: 'x', password: 'short' }),
      emailTaken: await post('register', registration),
      refused: await post('login', '[]'),
      throttled: await (behaviour.set({ faults: [fault('login:429:1')] }), login()),
      failed: await (behaviour.set({ faults: [fault('login:500:1')] }), login()),
    };
    const claims = Object.entries(seen).filter(([kind]) => dialects[dialect].rows[kind as keyof typeof seen].from);
    expect(claims.length).toBeGreaterThan(3);

    for (const [kind, response] of claims) {
      const id = dialects[dialect].rows[kind as keyof typeof seen].from;
      const entry = shapes.find((shape) => shape.id === id)!;
      const text = await response.text();
      const { 'Content-Length': length, ...headers } = entry.headers;
      const isRaw = typeof entry.body === 'string';
      expect({
        id,
        status: response.status,
        type: typeOfContent(response.headers.get('content-type')),
        missing: Object.keys(headers).filter((name) => !response.headers.has(name)),
        isEmpty: text === '',
        sameShape: isRaw ? text === entry.body : hasShapeOf(JSON.parse(text), entry.body) || text,
      }).toEqual({
        id,
        status: entry.status,
        type: typeOfContent(entry.headers['Content-Type']),
        missing: [],
        isEmpty: length === '0',
        sameShape: true,
      });
    }
  });
});
