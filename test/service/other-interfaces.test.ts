import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../main/client/client.ts';
import { expressionsIn } from '../../main/interface/outputs.ts';
import { shippedNames } from '../../main/interface/shipped-files.ts';
import type { InterfaceDescription } from '../../preload/contract/interface.ts';
import { formatMockFile } from '../../main/check/mock-generator/generate-mock.ts';
import type { MockDefinition } from '../../main/service/mock/mock-definition.ts';
import { parseMockFile } from '../../main/service/mock/load-mock-file.ts';
import { measureAndLearn } from '../prove/mocks.ts';
import { journey, wantedSteps } from '../support/described-journey.ts';
import { startServer } from '../servers/start-server.ts';
import { briefly, startMock, learnFrom } from './support/mock-servers.ts';
import { ada } from './support/make-service.ts';
import { described, serviceAt, shipped } from './support/service-at.ts';

/** The whole way of a person, with an end of the application within it: what came of each step. */
async function expectJourney(description: InterfaceDescription, mock?: MockDefinition): Promise<void> {
  const { baseUrl, transport } = await serviceAt(description, { mock });
  if (!description.calls.register) {
    // Where accounts are made elsewhere, the service makes them at its own address.
    const maker = createClient({ transport, baseUrl });
    await maker.register({ ...ada, path: 'registro', cpassword: '' });
  }
  expect(await journey(description, baseUrl, ada)).toEqual(wantedSteps(description));
}

/**
 * Firebase's calls have the key of a project in their paths, and those of PocketBase an id that a response gave, for which a
 * token that nobody issued stands nowhere.
 */
const names = shippedNames.filter((name) => name !== 'firebase' && name !== 'pocketbase');

describe('the service at the interface of', () => {
  it.each(names)('%s does what its own client asks for', async (name) => {
    await expectJourney(await shipped(name));
  });
});

describe('a mock server answers as it was learned, at the interface that it was learned at:', () => {
  const learned = learnFrom('service', { ...briefly, options: { ...briefly.options, variant: 'both' } });
  it.each(names.filter((name) => name !== 'llavero'))('%s', async (name) => {
    const { model } = await learned;
    const stock = await shipped(name);
    // What stands in for the original here has the token at another place of its bodies.
    const inBody = expressionsIn(stock.outputs)['token']?.startsWith('$response.body') && {
      ...stock.outputs,
      token: '$response.body#/token',
    };
    const description = { ...stock, ...(inBody && { outputs: inBody }) };
    const itsModel = parseMockFile(formatMockFile({ ...model, interface: description }));
    if (!itsModel.ok) throw new Error(itsModel.sentence);
    await expectJourney(description, itsModel.model);
  });

  it('and a model whose description leads away is refused', async () => {
    const { model } = await learned;
    const bad = { ...(await shipped('strapi')), prefix: '/../api' };
    expect(parseMockFile(formatMockFile({ ...model, interface: bad }))).toMatchObject({
      ok: false,
      detail: 'interface.prefix',
    });
  });
});

describe("better-auth's own client works", () => {
  async function told(baseUrl: string): Promise<unknown> {
    const client = path.join(import.meta.dirname, '../servers/better-auth/client.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [client, baseUrl]);
    return JSON.parse(stdout);
  }
  const done = {
    signUp: ada.email,
    taken: 422,
    wrongPassword: 401,
    signIn: ada.email,
    getSession: ada.email,
    signOut: 'done',
  };

  it('with the service at its interface', async () => {
    const { baseUrl } = await serviceAt(await shipped('better-auth-bearer'));
    expect(await told(baseUrl)).toEqual({ ...done, afterwards: 401 });
  }, 30_000);

  it('with a mock server of its server', async () => {
    const original = await startServer('better-auth', { BEARER: 'yes' });
    onTestFinished(original.stop);
    const description = await shipped('better-auth-bearer');
    const { model } = await measureAndLearn(original.origin, { ...briefly, interface: description });
    const { baseUrl } = await startMock(model);
    const byServer = await told(original.origin);
    expect(byServer).toEqual({ ...done, afterwards: 'nobody' });
    expect(await told(baseUrl)).toEqual(byServer);
  }, 60_000);
});

describe('an interface of its own', () => {
  const login = { path: '/in', body: { who: '{{email}}', secret: '{{password}}' } };
  const calls = {
    register: { path: '/people', body: { who: '{{email}}', secret: '{{password}}', called: '{{name}}' } },
    login,
    profile: { method: 'POST', path: '/me' },
    logout: { method: 'DELETE', path: '/in' },
  };

  const byRedirect = {
    calls: { ...calls, login: { ...login, encoding: 'form', success: [{ status: 302, location: '/dashboard' }] } },
    security: { type: 'apiKey', in: 'cookie', name: 'sid' },
  };

  it('with a log-in that a redirect answers is learned, and a mock server answers so', async () => {
    const description = described(byRedirect);
    const { baseUrl } = await serviceAt(description);
    const { model: mock } = await measureAndLearn(baseUrl, { ...briefly, interface: description });
    const mockServer = await serviceAt(description, { mock });
    const body = new URLSearchParams({ who: 'nobody@example.test', secret: 'wrong' });
    const { status, headers } = await fetch(`${mockServer.baseUrl}/in`, { method: 'POST', body, redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, '/in?error']);
    await expectJourney(description, mock);
  }, 60_000);

  it.each<[string, object]>([
    ['a header for the token', { security: { type: 'apiKey', in: 'header', name: 'X-Token' } }],
    [
      'a token deep in a body',
      { outputs: { token: '$response.body#/data/0/access~1token', user: '$response.body#/data/1' } },
    ],
    ['a cookie with any beginning', { security: { type: 'apiKey', in: 'cookie', name: '*-session' } }],
    ['forms', { encoding: 'form', outputs: { token: '$response.header.X-Given' } }],
    [
      'an id of its answers in its paths',
      {
        calls: {
          ...calls,
          logout: { method: 'DELETE', path: '/people/{{id}}/sessions' },
        },
        outputs: { id: { value: '$response.body#/person/id', secret: false } },
      },
    ],
    [
      'a token or a cookie',
      {
        security: [
          { type: 'http', scheme: 'JWT' },
          { type: 'apiKey', in: 'cookie', name: 'session' },
        ],
      },
    ],
    ['a log-in that a redirect answers', byRedirect],
    ['a log-in by GET', { calls: { ...calls, login: { ...login, method: 'GET', encoding: 'query' } } }],
    ['its own answer without a session', { unauthenticated: [{ status: 200, body: { code: 'none' } }] }],
  ])('with %s is spoken as well', async (_, more) => {
    await expectJourney(described({ calls, ...more }));
  });

  it('has its addresses and no others, each with its own methods', async () => {
    const { baseUrl } = await serviceAt(described({ calls, unauthenticated: [{ status: 419 }] }));
    const answer = async (method: string, path: string, body?: string, type = 'application/json') => {
      const { status, headers } = await fetch(baseUrl + path, {
        method,
        ...(body !== undefined && { body, headers: { 'content-type': type } }),
      });
      return [status, headers.get('allow')].filter((each) => each !== null);
    };
    expect(await answer('POST', '/me')).toEqual([419]);
    expect(await answer('GET', '/me')).toEqual([405, 'POST']);
    expect(await answer('PUT', '/in')).toEqual([405, 'DELETE, POST']);
    expect(await answer('POST', '/api/v1/auth/login', '{}')).toEqual([404]);
    expect(await answer('POST', '/api/v1/auth/log%69n', '{}')).toEqual([404]);
    expect(await answer('GET', '/api/v1/openapi.json')).toEqual([404]);
    expect(await answer('GET', '/health')).toEqual([200]);
    expect(await answer('POST', '/in', 'who=a&secret=b', 'application/x-www-form-urlencoded')).toEqual([415]);
    expect(await answer('POST', '/in', '{"email":"ada@example.test","password":"x"}')).toEqual([422]);
  });

  it('says in its words of a form that a body is no form', async () => {
    const { baseUrl } = await serviceAt(await shipped('fastapi-users'));
    const headers = { 'content-type': 'application/json', 'accept-language': 'es' };
    const answer = await fetch(`${baseUrl}/auth/jwt/login`, { method: 'POST', headers, body: '{}' });
    expect([answer.status, await answer.text()]).toEqual([415, expect.stringContaining('x-www-form-urlencoded')]);
  });
});
