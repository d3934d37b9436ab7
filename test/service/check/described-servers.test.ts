import { expect, it } from 'vitest';
import { shippedInterface } from '../../../main/interface/shipped.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import { startFor } from '../../servers/servers-asked-for.ts';
import type { AnyServer } from '../../servers/start-server.ts';
import { journey, wantedSteps } from '../../support/described-journey.ts';
import { measureAndLearn } from '../../prove/mocks.ts';
import { createCheck } from '../support/run-check.ts';
import { startMock, haste } from '../support/mock-servers.ts';
import { serviceAt } from '../support/service-at.ts';

const account = { email: 'ana@example.test', password: 'correct-horse-9' };

const servers: { server: AnyServer; by: string; more?: Record<string, string> }[] = [
  { server: 'better-auth', by: 'better-auth' },
  { server: 'better-auth', by: 'better-auth-bearer', more: { BEARER: 'yes' } },
  { server: 'djoser', by: 'djoser' },
  { server: 'oauth-toolkit', by: 'oauth-password', more: { ACCOUNT: account.email, PASSWORD: account.password } },
];

it.for(servers)('a person at $server, by $by', { timeout: 300_000 }, async ({ server, by, more }, test) => {
  const { origin } = await startFor(test, server, more);
  const description = (await shippedInterface(by))!;
  expect(await journey(description, origin, account)).toEqual(wantedSteps(description));
});

// The others are imitated by `other-interfaces.test.ts`, and a model is learned where accounts can be made.
it.for(servers.filter(({ by }) => by === 'djoser' || by === 'better-auth'))(
  'a person at a mock server of $server, by $by',
  { timeout: 300_000 },
  async ({ server, by, more }, test) => {
    const { origin } = await startFor(test, server, more);
    const description = (await shippedInterface(by))!;
    const { model } = await measureAndLearn(origin, { ...haste, interface: description });
    const { baseUrl } = await startMock(model);
    expect(await journey(description, baseUrl)).toEqual(wantedSteps(description));
  },
);

it.for(servers)('a check at $server, by $by', { timeout: 300_000 }, async ({ server, by, more }, test) => {
  const { origin } = await startFor(test, server, more);
  const adapter = new ApiAdapter((await shippedInterface(by))!, origin);
  const given = adapter.features.registrations.length === 0 ? account : undefined;
  const {
    start,
    wire: sent,
    secretRegistry,
  } = createCheck(origin, {
    adapter,
    account: given,
    options: {
      only: [
        'registration.missing-field',
        'registration.other-type',
        'registration.cpassword-at-register',
        'login.fields',
        'login.two-tokens',
        'token.form',
        'token.altered',
        'token.scheme-case',
        'logout.same-token-afterwards',
        'errors.unknown-path',
        'errors.body-not-json',
        'versioning.only-v1',
        'limits.body-size',
      ],
    },
  });
  const report = await start();
  expect(report.ended).toEqual({ kind: 'complete' });
  const said = Object.fromEntries(
    report.cases.map((each) => [each.id, each.outcome === 'not-measured' ? each.reason.kind : each.outcome]),
  );
  const registers = given === undefined;
  expect(said).toMatchObject({
    'registration.served': registers ? 'passed' : 'not-described',
    'registration.missing-field': registers ? 'answered' : 'not-described',
    'registration.cpassword-at-register': 'not-described',
    'versioning.only-v1': 'not-described',
    'login.right-credentials': 'passed',
    'profile.served': 'passed',
    'logout.served': 'passed',
    'token.form': 'answered',
    'token.altered': 'answered',
    'token.scheme-case': adapter.features.cookie ? 'not-described' : 'answered',
    'limits.body-size': 'answered',
  });
  const refusals = report.cases.flatMap((each) =>
    ['token.altered', 'logout.same-token-afterwards'].includes(each.id) && 'answers' in each
      ? each.answers.map(({ value }) => value.kind === 'reply' && value.handling)
      : [],
  );
  expect(refusals).toEqual(['refused', 'refused']);
  expect(report.interface?.name).toBe(adapter.description.name);
  expect(report.interface?.calls.profile).toBe(adapter.formatCall('profile'));
  const form = report.cases.find(({ id }) => id === 'login.fields');
  const untyped = form && 'answers' in form ? form.answers.filter(({ value }) => value.kind === 'none') : [];
  expect(untyped).toHaveLength(adapter.encodingOf('login') === 'form' ? 2 : 0);
  // Nothing of a session is in what is kept.
  expect(secretRegistry.find(JSON.stringify(report))).toEqual([]);
  const kept = JSON.stringify(report);
  const credentials = sent.flatMap(({ request }) =>
    request.headers.flatMap(([name, value]) => (/^(?:cookie|authorization)$/i.test(name) ? [value] : [])),
  );
  expect(credentials.length).toBeGreaterThan(5);
  expect(credentials.filter((each) => kept.includes(each.replace(/^[^ =]*[ =]/, '')))).toEqual([]);
});

it('nothing is sent of a repeated password where the interface has none', async () => {
  const description = (await shippedInterface('strapi'))!;
  const { baseUrl } = await serviceAt(description);
  const { clock } = haste;
  const { observations, report } = await measureAndLearn(baseUrl, {
    ...(clock && { clock }),
    interface: description,
  });
  expect(report.accounts.length).toBeGreaterThan(3);
  const bodies = observations.map(({ sent }) => JSON.stringify(sent?.body ?? ''));
  expect(bodies.filter((body) => body.includes('password')).length).toBeGreaterThan(10);
  expect(bodies.filter((body) => body.includes('cpassword'))).toEqual([]);
});
