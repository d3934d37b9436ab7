import { describe, expect, it } from 'vitest';
import { shippedInterface } from '../../../main/interface/shipped.ts';
import { suggestedNames } from '../../../main/interface/shipped-files.ts';
import { toText, type PlainJson } from '../../../main/interface/template.ts';
import { found } from './look.ts';

const emailAndPassword = { email: 'ana@x.test', password: 'S3cret-ana!' };
const nameAndPassword = { username: 'ana', password: 'S3cret-ana!' };

const post = (target: string, body: Readonly<Record<string, PlainJson>>, encoding = 'json'): string =>
  encoding === 'json'
    ? `curl -X POST 'https://x.test${target}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
    : `curl 'https://x.test${target}' ${Object.entries(body)
        .map(([name, value]) => `-d '${name}=${toText(value)}'`)
        .join(' ')}`;
const login = post('/login', emailAndPassword);
const profile = (target: string, header = 'Authorization: Bearer $TOKEN') =>
  `curl 'https://x.test${target}' -H '${header}'`;

describe('the log-in of each shipped description, alone', () => {
  /** Those whose path and names others have too: nobody can tell them by their log-in. */
  const general = new Set<string>(['llavero', 'laravel-breeze', 'devise-token-auth']);
  it.for(suggestedNames.map((name) => [name, general.has(name) ? 'could be it' : 'is it'] as const))(
    '%s: %s',
    async ([name, what]) => {
      const { prefix, calls, encoding } = (await shippedInterface(name))!;
      const sent = { '{{email}}': 'ana@x.test', '{{password}}': 'S3cret-ana!' };
      const body = JSON.stringify(calls.login.body).replaceAll(
        /\{\{\w+\}\}/g,
        (each) => sent[each as keyof typeof sent] ?? 'web',
      );
      const target = (prefix + calls.login.path).replaceAll(/\{\{\w+\}\}/g, 'shop');
      const text = post(target, JSON.parse(body), calls.login.encoding ?? encoding);
      const { shipped, possible } = await found(text);
      expect({ [what]: what === 'is it' ? shipped : possible }).toEqual({ [what]: expect.arrayContaining([name]) });
      expect(what === 'is it' ? possible : shipped).toEqual([]);
    },
  );
});

describe('a log-in of somebody else', () => {
  it.for([
    ['/login', emailAndPassword],
    ['/login', nameAndPassword],
    ['/api/login', emailAndPassword],
    ['/api/v1/login', emailAndPassword],
    ['/api/v1/auth/login', emailAndPassword],
    ['/auth/login', emailAndPassword],
    ['/api/auth/login', emailAndPassword],
    ['/api/auth/signin', nameAndPassword],
    ['/api/users/login', emailAndPassword],
    ['/users/login', emailAndPassword],
    ['/users/sign_in', { user: emailAndPassword }],
    ['/auth/sign_in', emailAndPassword],
    ['/admin-api/auth/sign_in', emailAndPassword],
    ['/auth/local', emailAndPassword],
    ['/auth/jwt/login', nameAndPassword],
    ['/accounts/login/', nameAndPassword],
    ['/rest-auth/login/', nameAndPassword],
    ['/token', nameAndPassword],
    ['/auth/token', nameAndPassword],
    ['/api/token/', nameAndPassword],
    ['/oauth/token', { grant_type: 'password', ...nameAndPassword }],
    ['/connect/token', { grant_type: 'password', client_id: 'web', ...nameAndPassword }],
    ['/api-token-auth/', nameAndPassword],
    ['/session', emailAndPassword],
    ['/api/sessions', emailAndPassword],
    ['/api/authenticate', nameAndPassword],
    ['/wp-json/jwt-auth/v1/token', nameAndPassword],
    ['/api/collections/users/auth-with-password', { identity: 'ana@x.test', password: 'S3cret-ana!' }],
  ] as const)('at %s is claimed by no shipped description', async ([target, body]) => {
    const { draft, shipped } = await found(post(target, body));
    expect(draft.prefix + draft.calls.login!.path).toBe(target);
    expect(shipped).toEqual([]);
  });

  it.for([
    ['another path before it', post('/api/login', emailAndPassword)],
    ['a form', post('/login', emailAndPassword, 'form')],
    ['a token at its own profile', `${login}\n${profile('/api/user')}`],
    ['a profile elsewhere', `${login}\n${profile('/660/users/9')}`],
    ['a cookie of another name', `${login}\n${profile('/api/user', 'Cookie: connect.sid=x')}`],
    ['a registration by other names', `${post('/register', { ...emailAndPassword, name: 'Ana' })}\n${login}`],
    ['a log-out elsewhere', `${login}\ncurl -X DELETE https://x.test/session`],
  ] as const)('cannot be the one of Laravel Breeze: %s', async ([, text]) => {
    const { shipped, possible } = await found(text);
    expect([...shipped, ...possible]).toEqual([]);
  });
});

describe('a log-in that others have too', () => {
  it.for([
    ['laravel-breeze', `curl https://x.test/sanctum/csrf-cookie\n${login}`],
    ['laravel-breeze', `${login} -b 'XSRF-TOKEN=x; shop_session=x' -H 'X-XSRF-TOKEN: x'`],
    ['llavero', `${post('/api/v1/auth/login', emailAndPassword)}\n${profile('/api/v1/auth/perfil')}`],
    ['devise-token-auth', `${post('/auth/sign_in', emailAndPassword)}\n${profile('/auth/validate_token')}`],
  ] as const)('is the one of %s where the text has a sign of it', async ([name, text]) => {
    expect(await found(text)).toMatchObject({ shipped: [name], possible: [] });
  });

  it('is told of as one that it could be where nothing speaks against it', async () => {
    const cookies = `${login}\n${profile('/api/user', 'Cookie: shop_session=x')}`;
    expect(await found(cookies)).toMatchObject({ shipped: [], possible: ['laravel-breeze'] });
  });
});

describe('the profile of a text', () => {
  it('is the one request that carries a token, whatever its path', async () => {
    const { draft, missing, others } = await found(`${login}\n${profile('/660/users/9')}`);
    expect(draft).toMatchObject({
      calls: { profile: { method: 'GET', path: '/660/users/9' } },
      security: { type: 'http', scheme: 'Bearer' },
    });
    expect({ missing, others }).toEqual({ missing: [], others: {} });
  });

  it('is asked about where several carry one, those of people first', async () => {
    const text = [
      login,
      profile('/orders'),
      profile('/660/users/9'),
      profile('/logout-all'),
      profile('/token/refresh'),
    ];
    const { draft, others } = await found(text.join('\n'));
    expect(draft.calls.profile?.path).toBe('/660/users/9');
    expect(others.profile?.map(({ from }) => from)).toEqual(['GET /orders']);
  });

  it('is not doubted by others with a token where its path says it', async () => {
    const { draft, others } = await found([login, profile('/orders'), profile('/users/me')].join('\n'));
    expect(draft.calls.profile?.path).toBe('/users/me');
    expect(others).toEqual({});
  });

  it('is missing where no request carries a token', async () => {
    const text = `${login}\ncurl https://x.test/orders\ncurl https://x.test/orders -u ana:S3cret\ncurl https://x.test/orders -b theme=dark`;
    expect((await found(text)).missing).toEqual(['profile']);
  });
});
