import { expect, it } from 'vitest';
import { startFor } from '../servers/servers-asked-for.ts';
import { anaForm, entered, withPerson } from '../support/with-person.ts';

const refreshed = {
  headers: {
    security: { type: 'http', scheme: 'Bearer', value: '{{refreshToken}}' },
    more: { outputs: { refreshToken: '$response.body#/refresh_token' } },
  },
  cookies: {
    security: { type: 'apiKey', in: 'cookie', name: 'refresh_token_cookie' },
    more: { csrf: { cookie: 'csrf_refresh_token', header: 'X-CSRF-TOKEN' } },
  },
};

it.for(['headers', 'cookies'] as const)(
  'a session of Flask-JWT-Extended is renewed by its refresh token in its %s',
  { timeout: 120_000 },
  async (place, test) => {
    const { origin } = await startFor(test, 'flask', { REFRESH: place });
    const { main } = await withPerson({ there: { baseUrl: origin } });
    const { security, more } = refreshed[place];
    const text = JSON.stringify({
      name: 'Flask-JWT-Extended',
      prefix: '/api/v1/auth',
      calls: {
        register: {
          path: '/registro',
          body: { name: '{{name}}', email: '{{email}}', password: '{{password}}' },
        },
        login: { path: '/login', body: { email: '{{email}}', password: '{{password}}' } },
        profile: { path: '/perfil' },
        logout: { path: '/salir' },
        refresh: { path: '/refresh', security },
      },
      ...more,
    });
    const edited = { ...entered(main, 'there', {}), id: 'there', enteredInterface: { text, variables: [] } };
    expect(await main.servers.edit(edited)).toMatchObject({ ok: true });
    expect(await main.session.logins.register({ ...anaForm, path: 'registro' })).toMatchObject({ ok: true });
    const [stored] = main.sessionStore.list();
    expect(stored).toMatchObject({ renews: true });
    const before = await main.session.tokenOf(stored!.id);
    // The server ends the access token alone.
    const headers = { Authorization: `Bearer ${before}` };
    expect((await fetch(`${origin}/api/v1/auth/salir`, { method: 'POST', headers })).status).toBe(200);
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(main.state.get().session).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
    expect(await main.session.tokenOf(stored!.id)).not.toBe(before);
  },
);
