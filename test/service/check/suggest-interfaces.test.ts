import { expect, it } from 'vitest';
import { suggestInterfaces } from '../../../main/check/suggest-interfaces.ts';
import { renderMarkdownReport } from '../../../main/check/reports/markdown-report.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import { toShownReport } from '../../../main/tools/checks/reports.ts';
import { startFor } from '../../servers/servers-asked-for.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { createCheck } from '../support/run-check.ts';
import { smallServer } from '../support/small-server.ts';

const only: readonly CaseId[] = ['profile.served', 'login.unknown-email', 'token.missing'];

async function fitsOf(baseUrl: string, more: readonly CaseId[] = []) {
  const report = await createCheck(baseUrl, { options: { only: [...only, ...more] } }).start();
  const { otherInterfaces: inWindow } = toShownReport(report);
  return { fits: suggestInterfaces(report), markdown: renderMarkdownReport(report, 'en'), inWindow };
}

/** As the stock servers answer at a path that they do not have (transcripts of 25 November 2026). */
it.for([
  ['strapi', '{"data":null,"error":{"status":404,"name":"NotFoundError","message":"Not Found","details":{}}}', {}],
  ['laravel-sanctum', '{"message":"The route api/v1/auth/login could not be found."}', {}],
  ['fastapi-users', '{"detail":"Not Found"}', { Server: 'uvicorn' }],
  ['devise-token-auth', '{"status":404,"error":"Not Found"}', { 'X-Runtime': '0.001834' }],
  ['keycloak', '{"error":"Unable to find matching target resource method"}', {}],
  ['supabase-gotrue', '{"message":"no Route matched with those values"}', {}],
] as const)('a server without the calls is told as one that may be %s', async ([name, body, headers], test) => {
  const server = await startRecordingServer(() => answer(404, body, headers));
  test.onTestFinished(() => server.close());
  const { fits, markdown, inWindow } = await fitsOf(server.origin);
  expect(fits).toContain(name);
  expect(inWindow).toEqual(fits);
  expect(markdown).toContain(`llavero check ${server.origin} --interface ${name}`);
});

it('djoser itself is told as Django', { timeout: 60_000 }, async (test) => {
  const { origin } = await startFor(test, 'djoser');
  expect((await fitsOf(origin)).fits).toContain('djoser');
});

it('Express at another prefix is told, although it refuses broken JSON before it looks for the path', async (test) => {
  const { origin } = await startFor(test, 'express');
  expect((await fitsOf(`${origin}/elsewhere`, ['errors.body-not-json'])).fits).toEqual(['FILE']);
});

it('a server that registers by chance, and has neither login nor profile, is told as one of no known kind', async (test) => {
  const server = await startRecordingServer(({ method, target }) =>
    method === 'POST' && target.endsWith('/register') ? answer(201, '{"id":1}') : answer(404, 'nothing'),
  );
  test.onTestFinished(() => server.close());
  const { fits, markdown, inWindow } = await fitsOf(server.origin);
  expect(fits).toEqual(['FILE']);
  expect(inWindow).toEqual([]);
  expect(markdown).toContain(`llavero check ${server.origin} --interface FILE`);
});

it('a server of which the login alone was asked, and says 404 of a person, is told as none', async (test) => {
  const server = await startRecordingServer(() => answer(404, { message: 'User not found' }));
  test.onTestFinished(() => server.close());
  const report = await createCheck(server.origin, { options: { only: ['login.unknown-email'] } }).start();
  expect(JSON.stringify(report.evidence).includes('/auth/login')).toBe(true);
  expect(suggestInterfaces(report)).toEqual([]);
});

it('a server that has the calls is told as none', async (test) => {
  const server = await startRecordingServer(smallServer({ headers: () => ({ Server: 'uvicorn' }) }));
  test.onTestFinished(() => server.close());
  const { fits, inWindow } = await fitsOf(server.origin);
  expect({ fits, inWindow }).toEqual({ fits: [], inWindow: undefined });
});
