import { describe, expect, it, onTestFinished } from 'vitest';
import type { Preflight } from '../../main/service/mock/mock-definition.ts';
import { answer, startRecordingServer } from '../support/recording-server.ts';
import { measureAndLearn } from '../prove/mocks.ts';
import { fault, startBuiltInServer } from './support/fault-injection.ts';
import { briefly, changed, startMock, haste, learnFrom } from './support/mock-servers.ts';
import { ada, makeService } from './support/make-service.ts';
import { shipped } from './support/service-at.ts';
import { smallServer } from './support/small-server.ts';
import { ApiAdapter } from '../../main/interface/api-adapter.ts';

const page = 'http://localhost:5173';
const LOGIN = '/api/v1/auth/login';
const hosts = { allowed: [], secure: false, origins: () => [page, 'https://app.example.test'] };

const asked = {
  origin: page,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type,authorization,x-request-id',
};

const corsOf = (headers: Record<string, unknown> | Headers): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(headers instanceof Headers ? Object.fromEntries(headers) : headers).filter(([name]) =>
      /^(?:access-control-.*|vary)$/.test(name),
    ),
  );

describe('a page of an origin that was named', () => {
  it('is told before a call what it may send', async () => {
    const { app } = await makeService({ hosts });
    const { statusCode, headers, body } = await app.inject({
      method: 'OPTIONS',
      url: LOGIN,
      headers: { ...asked, 'access-control-request-private-network': 'true' },
    });
    expect([statusCode, body]).toEqual([204, '']);
    expect(corsOf(headers)).toEqual({
      'access-control-allow-origin': page,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'Authorization, Content-Type, Accept-Language, x-request-id',
      'access-control-allow-private-network': 'true',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    });
  });

  it('is told nothing that is no name of a header, and of the header against forged requests', async () => {
    const { app } = await makeService({ hosts, adapter: new ApiAdapter(await shipped('laravel-sanctum'), '') });
    const { headers } = await app.inject({
      method: 'OPTIONS',
      url: LOGIN,
      headers: { ...asked, 'access-control-request-headers': 'x-ok, *, a b, X-Bad:1, AUTHORIZATION,,x-ok' },
    });
    expect(headers['access-control-allow-headers']).toBe('Authorization, Content-Type, Accept-Language, x-ok');
    const spa = await makeService({ hosts, adapter: new ApiAdapter(await shipped('laravel-breeze'), '') });
    const answered = await spa.app.inject({ method: 'OPTIONS', url: '/login', headers: { ...asked } });
    expect(answered.headers['access-control-allow-headers']).toContain('X-XSRF-TOKEN');
  });

  it('reads every answer, refusals and faults too', async () => {
    const { service, behaviour, post } = await startBuiltInServer({}, { allowOrigins: () => [page] });
    const at = (path: string, method = 'GET') =>
      fetch(`${service.baseUrl}${path}`, { method, headers: { origin: page } });
    const answers = [
      await post('login', ada, { origin: page }),
      await post('login', { ...ada, password: 'another one' }, { origin: page }),
      await post('registro', { ...ada, email: 'ada' }, { origin: page }),
      await post('login', '{', { origin: page }),
      await at('/api/v1/auth/perfil'),
      await at('/nothing'),
      await at('/%zz'),
      await at(LOGIN),
      await at('/health'),
      await at(LOGIN, 'OPTIONS'),
    ];
    behaviour.set({ faults: [fault('login:429=5:1')] });
    // The question before a call uses up no fault of the call.
    await fetch(`${service.baseUrl}${LOGIN}`, { method: 'OPTIONS', headers: asked });
    answers.push(await post('login', ada, { origin: page }));
    behaviour.set({ faults: [fault('login:500:1')] });
    answers.push(await post('login', ada, { origin: page }));
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 422, 400, 401, 404, 400, 405, 200, 405, 429, 500]);
    for (const { headers } of answers) {
      expect(corsOf(headers)).toEqual({
        'access-control-allow-origin': page,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': expect.stringMatching(
          /^(?=.*\bwww-authenticate\b)(?=.*\bretry-after\b)(?=.*\bx-request-id\b)/,
        ) as string,
        vary: 'Origin',
      });
    }
  });

  it('may still not ask by a name that was pointed at this computer', async () => {
    const { app } = await makeService({ hosts });
    for (const method of ['OPTIONS', 'POST'] as const)
      expect((await app.inject({ method, url: LOGIN, headers: { ...asked, host: 'evil.example' } })).statusCode).toBe(
        421,
      );
  });
});

it('a page whose origin was taken back is refused from the next request on', async () => {
  let origins = [page];
  const { app } = await makeService({ hosts: { ...hosts, origins: () => origins } });
  const status = async () => (await app.inject({ method: 'OPTIONS', url: LOGIN, headers: asked })).statusCode;
  expect(await status()).toBe(204);
  origins = [];
  expect(await status()).toBe(403);
});

it.each([
  'http://localhost:5174',
  'https://localhost:5173',
  'http://localhost:517',
  'http://127.0.0.1:5173',
  'http://LOCALHOST:5173',
  'http://localhost:5173/',
  'http://localhost:5173.evil.example',
  'http://evil.localhost:5173',
  `${page}, ${page}`,
  'null',
  '*',
  '',
])('a page of %j is refused as if no origin was named', async (origin) => {
  const { app } = await makeService({ hosts });
  const bare = await makeService({});
  for (const method of ['OPTIONS', 'POST', 'GET'] as const) {
    const request = { method, url: LOGIN, headers: { ...asked, origin } };
    const [answered, before] = [await app.inject(request), await bare.app.inject(request)];
    expect([answered.statusCode, answered.body]).toEqual([before.statusCode, before.body]);
    expect(answered.statusCode).toBe(403);
    expect(corsOf(answered.headers)).toEqual({ vary: 'Origin' });
    expect(corsOf(before.headers)).toEqual({});
  }
});

describe('a mock server', () => {
  const learned = learnFrom('service', briefly);
  const preflightAt = async (preflight: Preflight | undefined, headers: Record<string, string> = asked) => {
    const { model } = await learned;
    const { baseUrl } = await startMock(
      changed(model, (copy) => void (copy.preflight = preflight)),
      { allowOrigins: () => [page] },
    );
    return fetch(`${baseUrl}${LOGIN}`, { method: 'OPTIONS', headers });
  };
  const anyOrigin: Preflight = {
    status: 200,
    allows: true,
    headers: [
      ['access-control-allow-methods', 'POST'],
      ['access-control-max-age', '86400'],
      ['allow', 'POST'],
    ],
    echoesHeaders: true,
    calls: [],
  };

  it('answers before a call as its original did, with the one origin in the place of all', async () => {
    const answered = await preflightAt(anyOrigin);
    expect([answered.status, answered.headers.get('allow')]).toEqual([200, 'POST']);
    expect(corsOf(answered.headers)).toEqual({
      'access-control-allow-origin': page,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type,authorization,x-request-id',
      'access-control-max-age': '86400',
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    });
    const other = await preflightAt(anyOrigin, { ...asked, origin: 'http://localhost:3000' });
    expect([other.status, corsOf(other.headers)]).toEqual([403, { vary: 'Origin' }]);
  });

  it.each([
    ['lets nobody in', { ...anyOrigin, status: 404, allows: false }],
    ['answers what no browser takes for a yes', { ...anyOrigin, status: 302 }],
    ['was not asked', undefined],
  ] as const)('lets a named page in where its original %s', async (_case, preflight) => {
    const answered = await preflightAt(preflight && { ...preflight, headers: [...preflight.headers] });
    expect([answered.status, answered.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, HEAD, POST, PUT, PATCH, DELETE',
    ]);
  });

  it('is told in the run what its original answers before a call', async () => {
    const only = [...(briefly.options?.only ?? []), 'headers.cors' as const];
    const cors = (allowed: string, headers: string) =>
      smallServer({
        override: ({ method, headers: sent }) =>
          method === 'OPTIONS'
            ? answer(200, '', {
                'access-control-allow-origin': allowed,
                'access-control-allow-headers':
                  headers === 'echo'
                    ? (sent.find(([name]) => name.toLowerCase() === 'access-control-request-headers')?.[1] ?? '')
                    : headers,
                'access-control-max-age': '60',
              })
            : undefined,
      });
    const preflightOf = async (respond: ReturnType<typeof smallServer>) => {
      const { origin, close } = await startRecordingServer(respond);
      onTestFinished(close);
      const { model } = await measureAndLearn(origin, { ...haste, options: { only } });
      return model.preflight && { ...model.preflight, calls: model.preflight.calls.length };
    };
    const maxAge = ['access-control-max-age', '60'];
    expect(await preflightOf(cors('*', 'echo'))).toEqual({
      status: 200,
      allows: true,
      headers: [maxAge],
      echoesHeaders: true,
      calls: 1,
    });
    expect(await preflightOf(cors('https://app.example.test', 'content-type'))).toEqual({
      status: 200,
      allows: true,
      headers: [['access-control-allow-headers', 'content-type'], maxAge],
      echoesHeaders: false,
      calls: 1,
    });
    expect(await preflightOf(smallServer())).toEqual({
      status: 404,
      allows: false,
      headers: [],
      echoesHeaders: false,
      calls: 1,
    });
  });
});
