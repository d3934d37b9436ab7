import { describe, expect, it } from 'vitest';
import { dialects } from '../../main/service/fault-injection/dialects.ts';
import { allDialects as shapes } from '../support/answer-lines.ts';
import { ada } from './support/make-service.ts';
import { dialectNames } from '../../preload/contract/names.ts';
import { clientAt, fault, startBuiltInServer } from './support/fault-injection.ts';

const names = dialectNames;
const registration = { ...ada, cpassword: ada.password };

it.each(names)('the client understands throttling and failures of a service that speaks %s', async (dialect) => {
  const { service, behaviour } = await startBuiltInServer({ dialect });
  const client = clientAt(service.baseUrl);
  const failureOfLogin = async () => {
    const result = await client.login(ada);
    if (result.ok) throw new Error(JSON.stringify(result.reading));
    return { kind: result.error.kind, seconds: result.reading?.summary.retryAfterSeconds };
  };
  behaviour.set({ faults: [fault('login:429=42:1'), fault('login:500:1')] });
  // FastAPI's own limiter does not say how long to wait.
  expect(await failureOfLogin()).toEqual({ kind: 'throttled', seconds: dialect === 'fastapi' ? undefined : 42 });
  expect(await failureOfLogin()).toMatchObject({ kind: 'server-fault' });
  expect(await client.login(ada)).toMatchObject({ ok: true });
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
