import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDescription } from '../../../main/interface/read-description.ts';
import { readBrunoFolder } from '../../../main/tools/import/bruno-folder.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { found, look } from './look.ts';

const folder = path.resolve(import.meta.dirname, '../../fixtures/import');
const files = readdirSync(folder);
const read = (name: string) => readFileSync(path.join(folder, name));

/** The calls of the shop, which every fixture tells in its own words. */
const calls = {
  register: {
    method: 'POST',
    path: '/auth/sign-up',
    body: { name: '{{name}}', email: '{{email}}', password: '{{password}}', password_confirmation: '{{cpassword}}' },
  },
  login: { method: 'POST', path: '/auth/sign-in', body: { email: '{{email}}', password: '{{password}}' } },
  profile: { method: 'GET', path: '/users/me' },
  logout: { method: 'POST', path: '/auth/sign-out' },
};

describe('the same interface in every format', () => {
  it.for(files.filter((name) => !name.includes('.env')))('%s', async (name) => {
    const { draft, missing, address, parts } = await found(read(name));
    expect(draft).toMatchObject({ prefix: '/api', calls, security: { type: 'http', scheme: 'Bearer' }, variables: {} });
    expect({ missing, address }).toEqual({ missing: [], address: 'https://shop.test' });
    const certainties = parts.filter(({ at }) => /login|register|profile|security/.test(at)).map(({ is }) => is);
    // Swagger 2 says Bearer in a sentence alone.
    expect(certainties).toEqual(['sure', 'sure', 'sure', name === 'shop.swagger-2.json' ? 'guess' : 'sure']);
    expect(readDescription(JSON.stringify(draft))).toMatchObject({ ok: true });
  });

  it.for(files)('%s: no typed and no received secret is in what comes back', async (name) => {
    const text = JSON.stringify(await look(read(name)));
    expect(text).not.toMatch(/S3cret|hWc1Zx3bN5mQ7rT9|ana@example|Neill/);
  });

  it.for(['postman.json', 'opencollection.yml', 'har', 'openapi-3.yaml', 'swagger-2.json'])(
    '%s tells by an answer where the token is',
    async (name) => {
      const { draft, parts } = await found(read(`shop.${name}`));
      expect(draft.outputs).toEqual({ token: '$response.body#/data/token' });
      expect(parts).toContainEqual({ at: 'outputs.token', is: 'sure' });
    },
  );

  it('finds in a .env the address and the calls that are named, and no value besides', async () => {
    const { draft, address, parts } = await found(read('shop.env.txt'));
    expect(address).toBe('https://shop.test');
    expect(draft.calls).toEqual({
      login: { method: 'POST', path: '/auth/sign-in', body: { email: '{{email}}', password: '{{password}}' } },
      profile: { method: 'GET', path: '/users/me' },
    });
    expect(parts).toContainEqual({ at: 'calls.login', is: 'guess', why: 'by-name' });
  });
});

describe('a collection that is a folder', () => {
  const folderOf = async (files: Record<string, string>) => {
    const folder = await makeTemporaryFolder();
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    return folder;
  };
  const bodyOf = (email: string) => `body:json {\n  {"email": "${email}", "password": "S3cret-ana!"}\n}\n`;
  const login = `meta {\n  name: Sign in\n}\n\npost {\n  url: {{host}}/auth/login\n  body: json\n}\n\n${bodyOf('a@b.test')}`;

  it('is read with the files of its folders, its own file and its environments', async () => {
    const folder = await folderOf({
      'bruno.json': '{}',
      'auth/login.bru': login,
      'me.bru': 'meta {\n  name: Me\n}\n\nget {\n  url: {{host}}/me\n  auth: inherit\n}\n',
      'broken.bru': 'meta {\n  name: Odd\n}\n\nget {\n  url: {{host}}\n',
      'collection.bru':
        'auth {\n  mode: apikey\n}\n\nauth:apikey {\n  key: X-Session\n  value: {{t}}\n  placement: header\n}\n',
      'environments/staging.bru': 'vars {\n  host: https://shop.test/api\n}\n',
      'node_modules/x.bru': login.replace('login', 'wrong/login'),
    });
    await symlink('/etc', path.join(folder, 'away'));
    const read = await readBrunoFolder(folder, 100_000);
    if (!read.ok) throw new Error('the folder cannot be read');
    expect(await found(read.content)).toMatchObject({
      address: 'https://shop.test',
      draft: {
        prefix: '/api',
        calls: { login: { path: '/auth/login' }, profile: { path: '/me' } },
        security: { type: 'apiKey', in: 'header', name: 'X-Session' },
      },
      missing: [],
    });
  });

  it('is read in YAML, with its environments, and a block that is wrong is read and said', async () => {
    const login = `info:\n  name: Login\nhttp:\n  method: POST\n  url: "{{baseUrl}}/auth/login"\n  body:\n    type: json\n    data: |2-\n    {\n      "email": "a@b.test",\n      "password": "S3cret-ana!"\n    }\n  auth: inherit\n`;
    const folder = await folderOf({
      'opencollection.yml': 'opencollection: 1.0.0\nrequest:\n  auth:\n    type: bearer\n    token: "{{t}}"\n',
      'auth/folder.yml': 'info:\n  name: auth\n  type: folder\nrequest:\n  auth: inherit\n',
      'auth/login.yml': login,
      'me.yml': 'info:\n  name: Me\nhttp:\n  method: GET\n  url: "{{baseUrl}}/me"\n  auth: inherit\n',
      'environments/prod.yml': 'name: prod\nvariables:\n  - name: baseUrl\n    value: https://api.shop.test/v1\n',
      'environments/local.yml': 'vars:\n  baseUrl: http://localhost:4000/v1\n',
    });
    const read = await readBrunoFolder(folder, 100_000);
    if (!read.ok) throw new Error('the folder cannot be read');
    const finding = await found(read.content);
    expect(finding).toMatchObject({
      format: 'opencollection',
      address: 'http://localhost:4000',
      draft: {
        prefix: '/v1',
        calls: {
          login: { path: '/auth/login', body: { email: '{{email}}', password: '{{password}}' } },
          profile: { path: '/me' },
        },
        security: { type: 'http', scheme: 'Bearer' },
      },
      notes: [{ kind: 'yaml', detail: expect.stringMatching(/^auth\/login\.yml:\d+$/) }],
    });
    expect(finding.parts).toContainEqual({ at: 'address', is: 'guess', why: 'environments', detail: 'prod' });
  });

  it('is not read where it is too large, or no folder', async () => {
    const folder = await folderOf({ 'a.bru': login, 'b.bru': login });
    expect(await readBrunoFolder(folder, login.length + 1)).toEqual({ ok: false, reason: 'too-large' });
    expect(await readBrunoFolder(path.join(folder, 'none'), 100)).toMatchObject({ ok: false, reason: 'unreadable' });
  });
});

describe('an archive', () => {
  it('is read in UTF-16 of both orders, with the mark and without it', async () => {
    const text = read('shop.har').toString();
    const little = Buffer.from(text, 'utf16le');
    const expected = await found(text);
    expect(await found(little)).toEqual(expected);
    expect(await found(Buffer.from(`\uFEFF${text}`, 'utf16le'))).toEqual(expected);
    expect(await found(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16())).toEqual(expected);
    expect(await found(Buffer.from(text, 'utf16le').swap16())).toEqual(expected);
    expect(await found(`\uFEFF${text}`)).toEqual(expected);
  });

  it.each([
    ['/login?q=a b', '/login?q=a%20b'],
    ['/log in?q=é', '/log%20in?q=%C3%A9'],
    ['/login?q=a%20b', '/login?q=a%20b'],
  ])('is read where a program wrote an address as it was typed: %s', async (typed, path) => {
    const postData = { text: '{"email":"ana@example.test","password":"x"}' };
    const entries = [{ request: { method: 'POST', url: `https://sso.test${typed}`, headers: [], postData } }];
    entries.push({ request: { method: 'GET', url: 'https://sso.test/me', headers: [], postData: { text: '' } } });
    expect(JSON.stringify(await found(JSON.stringify({ log: { entries } })))).toContain(`"path":"${path}"`);
  });

  it('is read where a form has its fields alone', async () => {
    const entry = {
      request: {
        method: 'POST',
        url: 'https://sso.test/token',
        headers: null,
        postData: {
          mimeType: 'application/x-www-form-urlencoded',
          params: [
            { name: 'grant_type', value: 'password' },
            { name: 'username', value: 'ana' },
            { name: 'password', value: 'S3cret-ana!' },
          ],
        },
      },
    };
    const { draft, parts } = await found(JSON.stringify({ log: { entries: [entry, null, {}, { request: null }] } }));
    expect(draft).toMatchObject({
      encoding: 'form',
      calls: { login: { body: { grant_type: 'password', username: '{{username}}', password: '{{password}}' } } },
    });
    expect(parts).toContainEqual({ at: 'calls.login', is: 'sure' });
  });
});

describe('one command alone', () => {
  it('gives the log-in, and the shipped descriptions of the same one first', async () => {
    const command = `curl https://cms.test/api/auth/local -d identifier=ana@example.test -d password=S3cret-ana!`;
    expect(await found(command)).toMatchObject({
      draft: { encoding: 'form', prefix: '/api/auth', calls: { login: { path: '/local' } } },
      missing: ['profile'],
      shipped: ['strapi'],
    });
  });

  it.for([
    ['/dj-rest-auth/login/', '{"username":"ana","email":"a@b.test","password":"x"}', 'dj-rest-auth'],
    ['/api/sanctum/token', '{"email":"a@b.test","password":"x","device_name":"d"}', 'laravel-sanctum'],
    ['/auth/v1/token?grant_type=password', '{"email":"a@b.test","password":"x"}', 'supabase-gotrue'],
    ['/api/auth/sign-in/email', '{"email":"a@b.test","password":"x"}', 'better-auth'],
  ] as const)('knows %s', async ([target, body, name]) => {
    const { shipped } = await found(`curl 'https://x.test${target}' --json '${body}'`);
    expect(shipped[0]).toBe(name);
  });

  it.each([
    ['says nothing of the header that its bearer plugin sends', undefined, 'better-auth'],
    ['has the header that its bearer plugin sends', 'Set-Auth-Token', 'better-auth-bearer'],
  ])('knows which better-auth it is where the answer %s', async (_, header, name) => {
    const text = { schema: { type: 'string' } };
    const content = { 'application/json': { schema: { properties: { token: { type: 'string' } } } } };
    const schema = { properties: { email: { type: 'string' }, password: { type: 'string' } } };
    const document = {
      openapi: '3.1.1',
      servers: [{ url: 'https://x.test/api/auth' }],
      security: [{ bearer: [] }],
      paths: {
        '/sign-in/email': {
          post: {
            requestBody: { content: { 'application/json': { schema } } },
            responses: { 200: { content, ...(header !== undefined && { headers: { [header]: text } }) } },
          },
        },
        '/get-session': { get: { responses: {} } },
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    };
    expect((await found(JSON.stringify(document))).shipped[0]).toBe(name);
  });

  it('keeps constants, and makes variables of secret ones', async () => {
    const { draft, dropped } = await found(
      `curl https://sso.test/realms/shop/protocol/openid-connect/token -u ana:S3cret -H 'apikey: sb_publishable_x9' -H 'X-Tenant: north' \
       -d client_id=web -d client_secret=q8Kz7bW2 -d grant_type=password -d username=ana -d password=S3cret-ana!`,
    );
    expect(draft).toMatchObject({
      calls: { login: { body: { client_id: 'web', client_secret: '{{clientSecret}}', grant_type: 'password' } } },
      headers: { apikey: '{{apikey}}', 'X-Tenant': 'north' },
      variables: { clientSecret: { secret: true }, apikey: { secret: true } },
    });
    expect(dropped).toEqual(['calls.login.body.client_secret', 'headers.apikey']);
    expect(JSON.stringify(draft)).not.toMatch(/q8Kz|publishable|S3cret/);
  });

  it('offers what else a call may be', async () => {
    const post = (target: string) => `curl https://x.test/${target} --json '{"email":"a@b.test","password":"x"}'`;
    const { draft, others, parts } = await found(`${post('login')}\n${post('shop/login')}\ncurl https://x.test/user`);
    expect(draft.calls.login?.path).toBe('/login');
    expect(others.login).toEqual([{ call: { ...draft.calls.login, path: '/shop/login' }, from: 'POST /shop/login' }]);
    expect(parts).toContainEqual({ at: 'calls.login', is: 'guess', why: 'several' });
  });

  it('reads cookies and the header against forged requests', async () => {
    const cookies = "-b 'theme=dark; XSRF-TOKEN=eyJpdiI6; shop_session=eyJpdiI6'";
    const { draft } = await found(`curl https://x.test/sanctum/csrf-cookie
      curl https://x.test/login ${cookies} -H 'X-XSRF-TOKEN: eyJpdiI6' --json '{"email":"a@b.test","password":"x"}'
      curl https://x.test/api/user ${cookies} -H 'Origin: https://x.test'`);
    expect(draft).toMatchObject({
      security: { type: 'apiKey', in: 'cookie', name: 'shop_session' },
      csrf: { cookie: 'XSRF-TOKEN', header: 'X-XSRF-TOKEN', from: '/sanctum/csrf-cookie' },
      headers: { Origin: '{{origin}}' },
    });
    expect(readDescription(JSON.stringify(draft))).toMatchObject({ ok: true });
  });
});
