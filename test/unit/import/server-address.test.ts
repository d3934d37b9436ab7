import { describe, expect, it } from 'vitest';
import type { FoundPart } from '../../../preload/contract/interface.ts';
import { found } from './look.ts';

const account = '{"email":"ana@x.test","password":"x"}';
const addressOf = async (text: string | object) => {
  const { address, addresses, parts, draft } = await found(typeof text === 'string' ? text : JSON.stringify(text));
  return {
    address,
    part: parts.find(({ at }) => at === 'address'),
    offered: addresses.map((each) => [each.name, each.address, each.production] as const),
    prefix: draft.prefix,
    path: draft.calls.login?.path,
    profile: draft.calls.profile?.path,
  };
};
const sure: FoundPart = { at: 'address', is: 'sure' };
const missing = (why: FoundPart['why'], detail?: string): FoundPart => ({
  at: 'address',
  is: 'missing',
  why,
  ...(detail !== undefined && { detail }),
});
const guess = (why: FoundPart['why'], detail?: string): FoundPart => ({ ...missing(why, detail), is: 'guess' });

const send = (method: string, url: string) => ({
  name: 'x',
  request: { method, url, header: [], body: { mode: 'raw', raw: method === 'GET' ? '' : account } },
});
const postman = (urls: readonly string[], variables: Record<string, string> = {}) => ({
  info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  item: urls.map((each) => {
    const [method = '', url = ''] = each.split(' ');
    return send(method, url);
  }),
  variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
});

describe('an address is that of the log-in alone', () => {
  it.for([
    [
      'another request has another host',
      ['GET https://github.example.test/login/oauth/authorize', 'POST {{baseUrl}}/sessions', 'GET {{baseUrl}}/me'],
      {},
      missing('placeholder', '{{baseUrl}}'),
      undefined,
    ],
    [
      'another request that could be its profile has another host',
      ['POST {{baseUrl}}/login', 'GET https://api.github.test/user'],
      {},
      missing('placeholder', '{{baseUrl}}'),
      undefined,
    ],
    [
      'the variable has a value',
      ['GET https://github.test/me', 'POST {{baseUrl}}/sessions', 'GET {{baseUrl}}/me'],
      { baseUrl: 'https://shop.test/v1' },
      sure,
      'https://shop.test',
    ],
    [
      'another variable has a value',
      ['POST {{authUrl}}/login', 'GET {{apiUrl}}/me'],
      { apiUrl: 'https://shop.test' },
      missing('placeholder', '{{authUrl}}'),
      undefined,
    ],
    ['it is relative', ['POST /api/login', 'GET https://cdn.test/me'], {}, missing('not-found'), undefined],
    ['a value of a value', ['POST {{a}}/login'], { a: '{{b}}/api', b: 'https://shop.test' }, sure, 'https://shop.test'],
    ['a value is in the host', ['POST https://{{sub}}.shop.test/login'], { sub: 'eu' }, sure, 'https://eu.shop.test'],
    [
      'the variable has no value',
      ['POST https://{{sub}}.shop.test/login'],
      { sub: '' },
      missing('placeholder', '{{sub}}.shop.test'),
      undefined,
    ],
    [
      'the same call has two hosts',
      ['POST https://api.shop.test/login', 'POST http://localhost:3000/login'],
      {},
      guess('several', 'https://api.shop.test'),
      'http://localhost:3000',
    ],
  ] as const)('%s', async ([, urls, variables, part, address]) => {
    expect(await addressOf(postman(urls, variables))).toMatchObject({ part, ...(address && { address }) });
    expect((await addressOf(postman(urls, variables))).address).toBe(address);
  });

  it('a request at another address is not one of its calls', async () => {
    const { profile } = await addressOf(postman(['POST {{baseUrl}}/login', 'GET https://api.github.test/user']));
    expect(profile).toBeUndefined();
  });

  it('that of the profile counts where no log-in is there', async () => {
    const command = `curl https://cdn.test/x.png; curl https://shop.test/api/me -H 'Authorization: Bearer x'`;
    expect(await addressOf(command)).toMatchObject({ address: 'https://shop.test', part: sure });
  });
});

type Row = readonly [name: string, value: string];
const local: Row = ['local', 'http://localhost:8080/api'];
const staging: Row = ['Staging', 'https://staging.shop.test/api'];
const prod: Row = ['prod', 'https://api.shop.test/api'];

/** The same environments as each program writes them. */
const programs: Record<string, (rows: readonly Row[]) => string | object> = {
  insomnia4: (rows) => ({
    _type: 'export',
    resources: [
      { _id: 'env_1', _type: 'environment', parentId: 'wrk_1', name: 'Base Environment', data: {} },
      ...rows.map(([name, url], at) => ({
        _id: `env_1${at}`,
        _type: 'environment',
        parentId: 'env_1',
        name,
        data: { api: { host: url } },
      })),
      { _type: 'request', method: 'POST', url: '{{ _.api.host }}/login', body: { text: account } },
    ],
  }),
  insomnia5: (rows) => ({
    type: 'collection.insomnia.rest/5.0',
    collection: [{ method: 'POST', url: '{{ _.host }}/login', body: { text: account } }],
    environments: {
      name: 'Base Environment',
      data: {},
      subEnvironments: rows.map(([name, host]) => ({ name, data: { host } })),
    },
  }),
  bruno: (rows) =>
    [
      ...rows.map(([name, url]) => `environments/${name}.bru\0vars {\n  host: ${url}\n}\n\0`),
      `login.bru\0meta {\n  name: Login\n}\n\npost {\n  url: {{host}}/login\n  body: json\n}\n\nbody:json {\n  ${account}\n}\n\0`,
    ].join(''),
  brunoJson: (rows) => ({
    name: 'Shop',
    items: [
      {
        type: 'http',
        name: 'Login',
        request: { method: 'POST', url: '{{host}}/login', body: { mode: 'json', json: account } },
      },
    ],
    environments: rows.map(([name, value]) => ({ name, variables: [{ name: 'host', value, enabled: true }] })),
  }),
  opencollection: (rows) => ({
    opencollection: '1.0.0',
    items: [{ http: { method: 'POST', url: '{{host}}/login', body: { type: 'json', data: account } } }],
    config: { environments: rows.map(([name, value]) => ({ name, variables: [{ name: 'host', value }] })) },
  }),
  postman: (rows) => ({
    collections: [postman(['POST {{host}}/login'], { host: 'https://unused.test' })],
    environments: rows.map(([name, value]) => ({ name, values: [{ key: 'host', value, enabled: true }] })),
  }),
  openapi: (rows) => ({
    openapi: '3.1.0',
    servers: rows.map(([description, url]) => ({ url, description })),
    paths: {
      '/login': { post: { requestBody: { content: { 'application/json': { example: JSON.parse(account) } } } } },
    },
  }),
};

describe.for(Object.keys(programs))('environments of %s', (program) => {
  const text = (...rows: Row[]) => programs[program]!(rows);
  const at = (...rows: Row[]) => rows.map(([name, url]) => [name, url.slice(0, -4), name === 'prod'] as const);

  it('are offered by name, and none is production before somebody chose it', async () => {
    for (const rows of [
      [prod, local],
      [local, prod],
    ] as const) {
      expect(await addressOf(text(...rows))).toMatchObject({
        address: 'http://localhost:8080',
        part: guess('environments', 'prod'),
        offered: at(...rows),
        prefix: '/api',
        path: '/login',
      });
    }
  });

  it('are named where there are three, the own computer first', async () => {
    expect(await addressOf(text(prod, staging, local))).toMatchObject({
      address: 'https://staging.shop.test',
      part: guess('environments', 'prod, local'),
    });
  });

  it('none is chosen of those that are production', async () => {
    const found = await addressOf(text(prod, ['Live EU', 'https://eu.shop.test/api']));
    expect(found).toMatchObject({ part: missing('environments', 'prod, Live EU'), prefix: '/api' });
    expect(found.address).toBeUndefined();
    expect(found.offered.map(([, , production]) => production)).toEqual([true, true]);
  });

  it('one that has the same address as another is no choice', async () => {
    expect(await addressOf(text(local, ['ci', local[1]]))).toMatchObject({
      address: 'http://localhost:8080',
      part: sure,
    });
  });

  it('a prefix that differs is a guess', async () => {
    const { draft, parts } = await found(
      JSON.stringify(text(local, ['old', 'https://old.shop.test/v0'])).slice(0),
    ).catch(() => found(text(local, ['old', 'https://old.shop.test/v0']) as string));
    expect(draft.prefix).toBe('/api');
    expect(parts).toContainEqual({ at: 'prefix', is: 'guess', why: 'environments' });
  });
});

it('the scheme of a message with a host alone is a guess', async () => {
  const body = '{"email":"a@b.test","password":"x"}';
  const finding = await found(`POST /api/login HTTP/1.1\nHost: api.x.test\nContent-Type: application/json\n\n${body}`);
  expect(finding.address).toBe('https://api.x.test');
  expect(finding.parts).toContainEqual({ at: 'address', is: 'guess', why: 'usual' });
});

describe('what is called production', () => {
  const named = async (name: string, url: string) =>
    (await addressOf(programs['opencollection']!([[name, url]]))).offered[0]?.[2];
  it.for([
    ['Production', 'https://a.test'],
    ['PROD', 'https://a.test'],
    ['ShopProd', 'https://a.test'],
    ['EU – live', 'https://a.test'],
    ['Producción', 'https://a.test'],
    ['eu', 'https://api-prod.a.test'],
    ['eu', 'https://live.a.test'],
    ['production', 'http://localhost:3000'],
  ] as const)('%s at %s', async ([name, url]) => {
    expect(await named(name, url)).toBe(true);
  });
  it.for([
    ['preprod', 'https://a.test'],
    ['non-production', 'https://a.test'],
    ['Products', 'https://products.a.test'],
    ['delivery', 'https://delivery.a.live'],
    ['eu', 'https://a.test'],
  ] as const)('not %s at %s', async ([name, url]) => {
    expect(await named(name, url)).toBe(false);
  });
});

describe('servers of an OpenAPI document', () => {
  const at = (servers: readonly object[]) => addressOf({ ...(programs['openapi']!([]) as object), servers });

  it.for([
    [[{ url: 'https://shop.test/api/' }], 'https://shop.test', sure, '/api'],
    [[{ url: '/api/v1' }], undefined, missing('not-found'), '/api/v1'],
    [[], undefined, missing('not-found'), ''],
    [
      [{ url: 'https://{subdomain}.auth.{region}.shop.test/v1' }],
      undefined,
      missing('placeholder', '{{subdomain}}.auth.{{region}}.shop.test'),
      '/v1',
    ],
    [
      [{ url: 'https://{region}.shop.test', variables: { region: { default: 'eu' } } }],
      'https://eu.shop.test',
      sure,
      '',
    ],
    [
      [{ url: 'https://{r}.shop.test', variables: { r: { default: 'us', enum: ['eu', 'us'] } } }],
      'https://us.shop.test',
      guess('environments', 'eu'),
      '',
    ],
    [
      [{ url: '{scheme}://shop.test', variables: { scheme: { enum: ['https', 'http'], default: 'https' } } }],
      'https://shop.test',
      guess('environments', 'http'),
      '',
    ],
    [[{ url: 'https://api.example.com' }], 'https://api.example.com', guess('placeholder', 'api.example.com'), ''],
  ] as const)('%j', async ([servers, address, part, prefix]) => {
    const found = await addressOf({ ...(programs['openapi']!([]) as object), servers });
    expect(found).toMatchObject({ part, prefix });
    expect(found.address).toBe(address);
  });

  it('that of the operation or its path counts before that of the document', async () => {
    const document = programs['openapi']!([local]) as { paths: Record<string, object> };
    const paths = { '/login': { ...document.paths['/login'], servers: [{ url: 'https://auth.shop.test/o' }] } };
    expect(await addressOf({ ...document, paths })).toMatchObject({
      address: 'https://auth.shop.test',
      part: sure,
      path: '/login',
      prefix: '/o',
    });
    expect(await at([{ url: 'https://x.test' }])).toMatchObject({ address: 'https://x.test' });
  });
});

describe('a placeholder is a question', () => {
  it.for([
    ['https://{subdomain}.auth.{region}.shop.test/login', '{{subdomain}}.auth.{{region}}.shop.test'],
    ['https://<your-domain>/login', '{{your-domain}}'],
    ['https://<YOUR DOMAIN>/login', '{{YOUR-DOMAIN}}'],
    ['https://YOUR-DOMAIN.auth0.com/login', '{{YOUR-DOMAIN}}.auth0.com'],
    ['https://{yourDomain}/login', '{{yourDomain}}'],
    ['https://yourdomain.com/login', '{{yourdomain}}.com'],
    ['https://your-api.test/login', '{{your-api}}.test'],
    ['https://[PROJECT_REF].shop.test/login', '{{PROJECT_REF}}.shop.test'],
    ['https://PROJECT_REF.shop.test/login', '{{PROJECT_REF}}.shop.test'],
    ['https://:tenant.shop.test/login', '{{tenant}}.shop.test'],
    ['https://$HOST/login', '{{HOST}}'],
    ['https://${HOST}:8080/login', '{{HOST}}:8080'],
    ['$BASE_URL/login', '{{BASE_URL}}'],
    ['%BASE_URL%/login', '{{BASE_URL}}'],
    ['<base_url>/login', '{{base_url}}'],
    ['[base url]/login', '{{base-url}}'],
    ['{baseUrl}/login', '{{baseUrl}}'],
    ['{{base_url}}/login', '{{base_url}}'],
    ['YOUR_SERVER/login', '{{YOUR_SERVER}}'],
  ] as const)('in the host: %s', async ([url, detail]) => {
    const found = await addressOf(
      JSON.stringify({ log: { entries: [{ request: { method: 'POST', url, postData: { text: account } } }] } }),
    );
    expect(found).toMatchObject({ part: missing('placeholder', detail), path: '/login' });
    expect(found.address).toBeUndefined();
  });

  it.for([
    'http://localhost:3000',
    'http://LOCALHOST:3000',
    'https://API.SHOP.TEST',
    'http://[::1]:8080',
    'https://yourkit.test',
    'https://my-app.shop.test',
    'http://api_gateway:8080',
    'http://127.0.0.1',
  ])('and this is a host: %s', async (origin) => {
    const text = postman([`POST ${origin}/login`]);
    expect(await addressOf(text)).toMatchObject({ address: new URL(origin).origin, part: sure });
  });

  it.for(['https://api.example.com', 'https://auth.example', 'http://mydomain.com:8080', 'https://domain.com'])(
    'and a host of documents is a guess: %s',
    async (origin) => {
      expect(await addressOf(postman([`POST ${origin}/login`]))).toMatchObject({
        address: origin,
        part: guess('placeholder', new URL(origin).host),
      });
    },
  );

  it.for([
    ['<tenant>', 'tenant'],
    ['[TENANT]', 'TENANT'],
    ['{tenant}', 'tenant'],
    ['${TENANT}', 'TENANT'],
    ['$TENANT', 'TENANT'],
    ['%TENANT%', 'TENANT'],
    ['your-tenant', 'yourTenant'],
    ['YOUR_TENANT_ID', 'YOURTENANTID'],
    ['{{tenant}}', 'tenant'],
  ] as const)('in a header: %s', async ([value, name]) => {
    const { draft } = await found(
      `curl https://shop.test/login -H 'X-Tenant: ${value}' -d '{"email":"a@b.test","password":"x"}'`,
    );
    expect(draft.headers).toEqual({ 'X-Tenant': `{{${name}}}` });
    expect(draft.variables).toEqual({ [name]: {} });
  });

  it.for(['north', '<p>hi</p>', '[1]', '100%', '$5', 'a {b} c', 'yours'])('and this is a value: %s', async (value) => {
    const { draft } = await found(
      `curl https://shop.test/login -H 'X-Tenant: ${value}' -d '{"email":"a@b.test","password":"x"}'`,
    );
    expect(draft.headers).toEqual({ 'X-Tenant': value });
  });

  it('a password before a host is in no name of one', async () => {
    const finding = await found(JSON.stringify(postman(['POST https://your-user:S3cret-ana@{host}/login'])));
    expect(JSON.stringify(finding)).not.toContain('S3cret');
  });
});

it('an environment of Postman alone gives its addresses', async () => {
  const environment = {
    name: 'dev',
    _postman_variable_scope: 'environment',
    values: [
      { key: 'token', value: 'S3cret', enabled: true },
      { key: 'site', value: 'https://www.shop.test', enabled: true },
      { key: 'api_url', value: 'https://dev.shop.test/api', enabled: true },
    ],
  };
  expect(await addressOf(environment)).toMatchObject({
    address: 'https://dev.shop.test',
    part: guess('environments', 'site'),
  });
});

it('a .env with an address and no call of an account gives the address', async () => {
  expect(await addressOf('API_URL=https://shop.test/api\n')).toMatchObject({
    address: 'https://shop.test',
    part: guess('by-name'),
  });
});
