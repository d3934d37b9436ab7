import { expect, it } from 'vitest';
import { startFor } from '../servers/servers-asked-for.ts';
import type { AnyServer } from '../servers/start-server.ts';
import { trying } from '../support/trial-servers.ts';

const password = '{{password}}';
const madeUp = { is: 'made-up' } as const;

/** Descriptions that are wrong in what an import guesses, and the proposals by which each becomes right. */
const rows: { server: AnyServer; wrong: object; taken: string[] }[] = [
  {
    server: 'djoser',
    wrong: {
      name: 'djoser',
      calls: {
        register: { path: '/auth/users/', body: { email: '{{email}}', password } },
        login: { path: '/auth/token/login', body: { email: '{{email}}', password } },
        profile: { path: '/auth/users/me/' },
        logout: { path: '/auth/token/logout/' },
      },
    },
    taken: ['username: {{username}}', 'email → username: {{username}}', 'Token'],
  },
  {
    server: 'express',
    wrong: {
      name: 'Express',
      prefix: '/api/v1/auth',
      calls: {
        register: { path: '/registro', body: { email: '{{email}}', password } },
        login: { path: '/login', body: { user: '{{email}}', password } },
        profile: { path: '/perfil' },
      },
      security: { type: 'apiKey', in: 'header', name: 'x-token' },
    },
    taken: ['name: {{name}}', 'user → email', 'Bearer'],
  },
];

it.for(rows)(
  'a wrong description becomes one that works at $server',
  { timeout: 120_000 },
  async ({ server, wrong, taken }, test) => {
    const { origin } = await startFor(test, server);
    let text = JSON.stringify(wrong);
    const said: string[] = [];
    for (let tries = 0; tries < taken.length; tries += 1) {
      const { works, proposals, calls } = await trying(origin, text, { account: madeUp });
      expect(works).toBe(false);
      said.push(proposals[0]?.value ?? JSON.stringify(calls));
      text = proposals[0]?.text ?? text;
    }
    expect(said).toEqual(taken);
    const last = await trying(origin, text, { account: madeUp });
    expect(last).toMatchObject({ works: true, whose: expect.stringMatching(/^llavero-/) });
  },
);
