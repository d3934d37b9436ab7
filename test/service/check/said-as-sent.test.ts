import { describe, expect, it, onTestFinished } from 'vitest';
import type { InterfaceDescription } from '../../../preload/contract/interface.ts';
import type { RunOptions } from '../../../preload/contract/report.ts';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import { defaultInterface } from '../../../main/interface/shipped.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { createCheck, outcomesOf } from '../support/run-check.ts';
import { bearerOf, isPath, smallServer } from '../support/small-server.ts';

/** A run at a small server by a description that differs from `interface.md` in this. */
async function runAtSmall(
  different: Partial<InterfaceDescription>,
  rules: Parameters<typeof smallServer>[0],
  options: Partial<RunOptions>,
) {
  const server = await startRecordingServer(smallServer(rules));
  onTestFinished(() => server.close());
  const adapter = new ApiAdapter({ ...defaultInterface, ...different }, server.origin);
  const report = await createCheck(server.origin, { adapter, options }).start();
  const said = report.cases.flatMap((each) =>
    'answers' in each
      ? each.answers.map(
          (answer) =>
            `${english.question(answer)}: ${english
              .value(answer.value)
              .filter((part) => typeof part === 'string')
              .join('')}`,
        )
      : [],
  );
  return { server, report, said };
}

const english = createReportFormatter('en');

describe('at an interface of its own, a logout without a session', () => {
  const logsOutAnybody = (status: number): Parameters<typeof smallServer>[0] => ({
    override: (request) =>
      isPath(request, 'salir') && bearerOf(request) === undefined ? answer(status, { message: 'Bye.' }) : undefined,
  });
  const only: RunOptions['only'] = ['token.required'];

  it.each([200, 204, 303, 404, 500])('breaks no rule with %s, and is told', async (status) => {
    const { report, said } = await runAtSmall({}, logsOutAnybody(status), { only });
    expect(outcomesOf(report, 'passed')).toContain('token.required');
    expect(report.findings).toEqual([]);
    expect(said.find((each) => each.startsWith('No token (logout)'))).toContain(`${status}`);
    expect(english.case('token.required')).toBe('The profile requires a token, and so does logout where specified');
  });

  it('breaks the rule of interface.md with 200, and a profile without a token breaks it anywhere', async () => {
    const own = await startRecordingServer(smallServer(logsOutAnybody(200)));
    onTestFinished(() => own.close());
    expect(outcomesOf(await createCheck(own.origin, { options: { only } }).start(), 'failed')).toEqual([
      'token.required',
    ]);
    const override: NonNullable<Parameters<typeof smallServer>[0]>['override'] = (request) =>
      isPath(request, 'perfil') && bearerOf(request) === undefined
        ? answer(200, { id: 1, email: 'ana@example.test' })
        : undefined;
    const open = await runAtSmall({}, { override }, { only });
    expect(outcomesOf(open.report, 'failed')).toEqual(['token.required']);
    expect(open.report.findings).toMatchObject([{ id: 'profile-without-token', severity: 'high' }]);
  });
});

describe('what a report says of a call is what was sent', () => {
  it.each([
    ['Bearer', 'bearer'],
    ['JWT', 'jwt'],
    ['Token', 'token'],
    ['token', 'TOKEN'],
    ['GenieKey', 'geniekey'],
  ])('the scheme %s is sent, and told, as %s', async (scheme, sent) => {
    const ownerOf = (token: string, given: ReadonlyMap<string, string>) => {
      const [, word, rest] = /^(?:(\S+) )?(\S+)$/.exec(token) ?? [];
      return scheme === 'Bearer' || word === scheme ? given.get(rest ?? '') : undefined;
    };
    const only: RunOptions['only'] = ['token.scheme-case'];
    const { server, said } = await runAtSmall({ security: { type: 'http', scheme } }, { ownerOf }, { only });
    const schemes = server.requests.flatMap(({ headers }) =>
      headers.flatMap(([name, value]) => (name === 'Authorization' ? value.split(' ', 1) : [])),
    );
    expect(new Set(schemes)).toEqual(new Set([scheme, sent]));
    const answered = scheme === 'Bearer' ? 'accepted, 200' : 'rejected, 401: ';
    expect(said).toContain(`The scheme in another case, written ${sent} (profile): ${answered}`);
  });

  it('a call without Accept has a token, so that its answer is about the header', async () => {
    const only: RunOptions['only'] = ['errors.without-accept'];
    const wantsAccept: Parameters<typeof smallServer>[0] = {
      override: (request) =>
        isPath(request, 'perfil') && request.headers.every(([name]) => name.toLowerCase() !== 'accept')
          ? answer(406, { message: 'Not acceptable.' })
          : undefined,
    };
    const { said } = await runAtSmall({}, {}, { only });
    expect(said).toContain('With a token and without the Accept header (profile): accepted, 200');
    expect((await runAtSmall({}, wantsAccept, { only })).said).toContain(
      'With a token and without the Accept header (profile): rejected, 406: ',
    );
    const shut = await runAtSmall(
      {},
      { override: (request) => (isPath(request, 'login') ? answer(401, {}) : undefined) },
      { only },
    );
    expect(outcomesOf(shut.report, 'not-measured')).toContain('errors.without-accept: needs');
    expect(shut.said.filter((each) => each.includes('Accept'))).toEqual([]);
  });

  it('a logout that is refused tells nothing about another token', async () => {
    let logouts = 0;
    const refusesLater: Parameters<typeof smallServer>[0] = {
      override: (request) =>
        isPath(request, 'salir') && (logouts += 1) > 1 ? answer(400, { message: 'Not now.' }) : undefined,
    };
    const only: RunOptions['only'] = ['logout.other-tokens-afterwards'];
    const { report, said } = await runAtSmall({}, refusesLater, { only });
    expect(outcomesOf(report, 'not-measured')).toContain('logout.other-tokens-afterwards: unstable');
    expect(said.filter((each) => each.includes('with another token'))).toEqual([]);
  });
});
