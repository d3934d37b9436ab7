import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import { openPage } from '../../support/open-page.ts';
import { startBuiltInServer } from '../../service/support/fault-injection.ts';
import { briefly, startMock, learnFrom } from '../../service/support/mock-servers.ts';
import { ada } from '../../service/support/make-service.ts';
import { shipped } from '../../service/support/service-at.ts';

/** Serves an empty page, as a development server does. */
async function servePage(): Promise<number> {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<p>page</p>'),
  );
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

type Sent = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  csrf?: [string, string];
};
type Got = { status: number; body: Record<string, unknown>; wait: string | null } | { refused: string };

/** Sends requests one after the other from a page, with its cookies. `TOKEN` stands for the token of the answer before. */
const sendFrom = (page: Page, baseUrl: string, all: readonly Sent[]): Promise<Got[]> =>
  page.evaluate(
    async ([base, calls]) => {
      const got: Got[] = [];
      let token = '';
      for (const { method = 'POST', path, headers = {}, body, csrf } of calls) {
        const cookie = new RegExp(`${csrf?.[0]}=([^;]+)`).exec(document.cookie)?.[1] ?? '';
        const said = Object.entries(headers).map(([name, value]): [string, string] => [
          name,
          value.replace('TOKEN', token),
        ]);
        try {
          const answered = await fetch(base + path, {
            method,
            credentials: 'include',
            headers: [
              ...said,
              ...(csrf ? [[csrf[1], decodeURIComponent(cookie)] as [string, string]] : []),
              ...(body === undefined ? [] : [['content-type', 'application/json'] as [string, string]]),
            ],
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
          const text = await answered.text();
          const read = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
          if (typeof read['token'] === 'string') token = read['token'];
          got.push({ status: answered.status, body: read, wait: answered.headers.get('retry-after') });
        } catch (error) {
          got.push({ refused: error instanceof Error ? error.name : '' });
        }
      }
      return got;
    },
    [baseUrl, all] as const,
  );

const statusesOf = (got: readonly Got[]): unknown[] =>
  got.map((each) => ('status' in each ? each.status : each.refused));

const auth = '/api/v1/auth';
const bearer = { authorization: 'Bearer TOKEN', 'accept-language': 'es', 'x-request-id': 'page-1' };
/** A person's way, with a wrong password and a wrong email in it. */
const way: readonly Sent[] = [
  { path: `${auth}/registro`, body: { ...ada, email: 'ada' } },
  { path: `${auth}/registro`, body: ada },
  { path: `${auth}/login`, body: { ...ada, password: 'another one' } },
  { path: `${auth}/login`, body: ada },
  { method: 'GET', path: `${auth}/perfil`, headers: bearer },
  { path: `${auth}/salir`, headers: bearer },
  { method: 'GET', path: `${auth}/perfil`, headers: bearer },
];
const waysStatuses = [422, 201, 401, 200, 200, 200, 401];

it('a page on another port logs in and out at the service, and reads why it is refused', async () => {
  const port = await servePage();
  const allowOrigins = () => [`http://localhost:${port}`];
  const { service, behaviour } = await startBuiltInServer({}, { isEmpty: true, allowOrigins });
  const page = await openPage(`http://localhost:${port}/`);
  await page.waitForURL(`http://localhost:${port}/`);
  const got = await sendFrom(page, service.baseUrl, way);
  expect(statusesOf(got)).toEqual(waysStatuses);
  expect(got[4]).toMatchObject({ body: { email: ada.email } });
  behaviour.set({
    faults: [{ operation: 'login', kind: '429', amount: { count: 1 }, parameter: { least: 7, most: 7 } }],
  });
  expect(await sendFrom(page, service.baseUrl, [{ path: `${auth}/login`, body: ada }])).toMatchObject([
    { status: 429, wait: '7' },
  ]);

  // The same page under its other name is another origin.
  await page.goto(`http://127.0.0.1:${port}/`);
  expect(statusesOf(await sendFrom(page, service.baseUrl, way))).toEqual(way.map(() => 'TypeError'));
});

it('a page on another port keeps a session by cookies, with the header against forged requests', async () => {
  const port = await servePage();
  const adapter = new ApiAdapter(await shipped('laravel-breeze'), '');
  const { service } = await startBuiltInServer(
    {},
    { isEmpty: true, adapter, allowOrigins: () => [`http://localhost:${port}`] },
  );
  const page = await openPage(`http://localhost:${port}/`);
  await page.waitForURL(`http://localhost:${port}/`);
  const csrf: [string, string] = ['XSRF-TOKEN', 'X-XSRF-TOKEN'];
  const { email, password, name } = ada;
  const got = await sendFrom(page, service.baseUrl.replace('127.0.0.1', 'localhost'), [
    { path: adapter.path('login'), body: { email, password } },
    { method: 'GET', path: adapter.csrfPath ?? '' },
    { path: adapter.path('registro'), csrf, body: { name, email, password, password_confirmation: password } },
    { path: adapter.path('login'), csrf, body: { email, password: 'another one' } },
    { path: adapter.path('login'), csrf, body: { email, password } },
    { method: 'GET', path: adapter.path('profile') },
    { path: adapter.path('logout'), csrf },
    { method: 'GET', path: adapter.path('profile') },
  ]);
  expect(statusesOf(got)).toEqual([403, 204, 201, 401, 200, 200, 200, 401]);
});

it('a page on another port uses a mock server', async () => {
  const port = await servePage();
  const { model } = await learnFrom('service', briefly);
  const { baseUrl } = await startMock(model, { allowOrigins: () => [`http://localhost:${port}`] });
  const page = await openPage(`http://localhost:${port}/`);
  await page.waitForURL(`http://localhost:${port}/`);
  const got = await sendFrom(page, baseUrl, way.slice(1));
  expect(statusesOf(got)).toEqual(waysStatuses.slice(1));
});
