import { expect, it } from 'vitest';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import { startDeviseLike } from '../../support/described-servers.ts';
import { createCheck } from '../support/run-check.ts';
import { described, shipped } from '../support/service-at.ts';

const ana = { name: 'Ana', email: 'ana@example.test', password: 'correct horse battery' };

it('a report shows an email that a server gives as the id of its headers, and nothing that keeps a session', async () => {
  const server = await startDeviseLike();
  const outputs = {
    token: '$response.header.Authorization',
    uid: '$response.header.uid',
    client: '$response.header.client',
  };
  const headers = { uid: '{{uid}}', client: '{{client}}' };
  const description = described({ ...(await shipped('devise-token-auth')), outputs, headers });
  const { start, secretRegistry } = createCheck(server.baseUrl, {
    adapter: new ApiAdapter(description, server.baseUrl),
    account: ana,
    options: { only: ['login.answer', 'profile.answer'] },
  });
  const report = JSON.stringify(await start());
  expect(server.requests.at(-1)?.headers).toMatchObject({ uid: ana.email, client: server.client });
  expect(report).toContain(`\\"email\\":\\"${ana.email}\\"`);
  expect(secretRegistry.find(report)).toEqual([]);
  for (const secret of [...server.given, server.client].filter(Boolean)) expect(report).not.toContain(secret);
});
