import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it, onTestFinished } from 'vitest';
import { shippedInterface } from '../../main/interface/shipped.ts';
import { shippedNames } from '../../main/interface/shipped-files.ts';
import { ApiAdapter } from '../../main/interface/api-adapter.ts';
import { startService, type ServiceOptions } from '../../main/service/server.ts';
import { briefly, changed, startMock, learnFrom } from './support/mock-servers.ts';
import { cheapArgon2 } from './support/make-service.ts';

const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

async function start(options: Partial<ServiceOptions>): Promise<string> {
  const started = await startService({ database: { file: ':memory:' }, port: 0, argon2: cheapArgon2, ...options });
  if (!started.ok) throw new Error(started.message);
  onTestFinished(() => started.service.close());
  return started.service.baseUrl;
}

it.each(shippedNames)('the page at %s shows its calls, in a document without a fault', async (name) => {
  const description = await shippedInterface(name);
  if (!description) throw new Error(`there is no description ${name}`);
  const withoutDefault = Object.entries(description.variables).filter(([, { default: value }]) => value === undefined);
  const adapter = new ApiAdapter(description, '', Object.fromEntries(withoutDefault.map(([each]) => [each, 'v'])));
  const baseUrl = await start({ adapter });
  const page = await (await fetch(baseUrl, html)).text();
  for (const call of ['login', 'profile'] as const)
    expect(page).toContain(
      `<li><code>${adapter.methodOf(call)} ${adapter.path(call).replaceAll('&', '&#38;')}</code></li>`,
    );
  const source = await (await fetch(`${baseUrl}/_llavero/openapi.json`)).text();
  const problems = await lintFromString({ source, config: await createConfig({ extends: ['spec'] }) });
  expect(problems.map(({ ruleId, message }) => [ruleId, message])).toEqual([]);
});

it('the page is for browsers, and for this computer alone', async () => {
  const baseUrl = await start({});
  for (const method of ['GET', 'HEAD']) {
    expect((await fetch(baseUrl, { ...html, method })).status).toBe(200);
    expect((await fetch(baseUrl, { method })).status).toBe(404);
  }
  const shared = await start({ allowHosts: ['double.example.test'] });
  expect((await fetch(shared, html)).status).toBe(404);
  expect((await fetch(`${shared}/_llavero/page.js`)).status).toBe(404);
});

it('a mock server shows no page where its original answers / otherwise', async () => {
  const { model } = await learnFrom('service', briefly);
  const withPage = await startMock(model);
  expect(await (await fetch(withPage.baseUrl, html)).text()).toContain(model.baseUrl);
  const { baseUrl } = await startMock(
    changed(model, ({ answers }) => {
      answers.push({
        operation: 'other',
        situation: 'unknown-path',
        path: '/',
        method: 'GET',
        status: 418,
        headers: [],
        body: { kind: 'text', text: ['short', 'and stout'] },
        calls: [],
      });
    }),
  );
  for (const method of ['GET', 'HEAD']) expect((await fetch(baseUrl, { ...html, method })).status).toBe(418);
});
