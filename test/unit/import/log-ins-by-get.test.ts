import { describe, expect, it } from 'vitest';
import { readDescription } from '../../../main/interface/read-description.ts';
import { certainty, found, look, me } from './look.ts';

describe('a log-in by GET', () => {
  const typed = '--data-urlencode username=ana --data-urlencode password=S3cret-ana!';
  const json = (target: string) => JSON.stringify({ info: {}, item: [{ name: 'Log in', request: { url: target } }] });
  const openapi = JSON.stringify({
    openapi: '3.1.0',
    servers: [{ url: 'https://x.test' }],
    paths: {
      '/login': {
        get: {
          parameters: ['username', 'password'].map((name) => ({
            name,
            in: 'query',
            required: true,
            schema: { type: 'string' },
          })),
        },
      },
    },
  });
  const username = { username: '{{username}}', password: '{{password}}' };
  const profile = { path: '/me' };

  it.each([
    ['of the documents of Parse Server', `curl -G ${typed} https://x.test/login`, '/login', username],
    ['at an address with a query', `curl -G ${typed} 'https://x.test/login?lang=es'`, '/login?lang=es', username],
    [
      'of an address alone',
      `curl 'https://x.test/api/signin?user=ana&pwd=S3cret-ana!'`,
      '/api/signin',
      { user: '{{username}}', pwd: '{{password}}' },
    ],
    [
      'with a constant',
      `curl 'https://x.test/login?email=a%40b.test&password=S3cret-ana!&locale=es'`,
      '/login?locale=es',
      { email: '{{email}}', password: '{{password}}' },
    ],
    [
      'with the key of a project',
      `curl 'https://x.test/login?username=ana&api_key=9f8e7d6c5b4a39281706f5e4&password=S3cret-ana!'`,
      '/login?api_key={{apiKey}}',
      username,
    ],
    [
      'of fetch',
      `fetch('https://x.test/login?login=ana&passwort=S3cret-ana!')`,
      '/login',
      { login: '{{username}}', passwort: '{{password}}' },
    ],
    ['of HTTPie', `http GET https://x.test/auth/login username==ana password==S3cret-ana!`, '/auth/login', username],
    [
      'of a grant',
      `curl 'https://x.test/oauth/token?grant_type=password&username=ana&password=S3cret-ana!'`,
      '/oauth/token?grant_type=password',
      username,
    ],
    ['of a collection, by its name', json('https://x.test/in?username=ana&password=S3cret-ana!'), '/in', username],
    ['of an OpenAPI document', openapi, '/login', username],
  ])('%s has its fields in the query', async (_, text, target, body) => {
    const finding = await found(/^[{]/.test(text) ? text : `${text}\n${me}`);
    const { prefix, calls } = finding.draft;
    expect({ ...calls.login, path: `${prefix}${calls.login?.path}` }).toEqual({
      method: 'GET',
      path: target,
      encoding: 'query',
      body,
    });
    expect(certainty(finding, 'calls.login')).toMatch(/^sure$|^by-name$/);
    expect(JSON.stringify(finding)).not.toMatch(/S3cret|9f8e7d6c/);
    expect(readDescription(JSON.stringify({ ...finding.draft, calls: { profile, ...calls } }))).toMatchObject({
      ok: true,
    });
  });

  it.each([
    ['of a search', `curl 'https://x.test/users?username=ana&password=S3cret-ana!'`],
    ['of a new password', `curl 'https://x.test/reset-password?email=a%40b.test&password=S3cret-ana!'`],
    ['of two passwords', `curl 'https://x.test/login?email=a%40b.test&password=S3cret-ana!&password2=S3cret-ana!'`],
    ['without anybody', `curl 'https://x.test/login?password=S3cret-ana!'`],
  ])('is not seen in a request %s', async (_, text) => {
    const finding = await look(`${text}\n${me}`);
    expect(finding.kind === 'found' && finding.draft.calls.login).toBeFalsy();
    expect(JSON.stringify(finding)).not.toContain('S3cret');
  });

  it('is sure, with the fixed headers of Parse Server, and becomes a description that reads', async () => {
    const headers =
      '-H "X-Parse-Application-Id: shop" -H "X-Parse-REST-API-Key: k3y-of-the-shop-9f8e7d" -H "X-Parse-Revocable-Session: 1"';
    const finding = await found(
      `curl -X GET ${headers} -G ${typed} https://x.test/parse/login\n` +
        `curl ${headers} -H "X-Parse-Session-Token: r:pnktnjyb996sj4p156gjtp4im" https://x.test/parse/users/me`,
    );
    const { draft } = finding;
    expect(certainty(finding, 'calls.login')).toBe('sure');
    expect(draft).toMatchObject({
      prefix: '/parse',
      calls: { login: { method: 'GET', path: '/login', encoding: 'query', body: username } },
      security: { type: 'apiKey', in: 'header', name: 'X-Parse-Session-Token' },
    });
    expect(Object.keys(draft.headers)).toEqual(
      expect.arrayContaining(['X-Parse-Application-Id', 'X-Parse-REST-API-Key']),
    );
    expect(readDescription(JSON.stringify(draft))).toMatchObject({ ok: true });
    expect(JSON.stringify(finding)).not.toMatch(/S3cret|pnktnjyb/);
  });

  it('has the address of its own where it stands alone', async () => {
    const finding = await found(`curl -X GET -G ${typed} http://localhost:4310/parse/login`);
    expect(finding.address).toBe('http://localhost:4310');
    expect(certainty(finding, 'address')).toBe('sure');
  });

  it('comes after one by POST, which keeps the password out of the address', async () => {
    const byPost = `curl https://x.test/login --json '{"username":"ana","password":"S3cret-ana!"}'`;
    const { draft } = await found(`curl -G ${typed} https://x.test/login\n${byPost}\n${me}`);
    expect(draft.calls.login?.method).toBe('POST');
  });
});
