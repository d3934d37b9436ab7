import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { InterfaceDescription } from '../../../preload/contract/interface.ts';
import type { Report, FindingId, RunOptions } from '../../../preload/contract/report.ts';
import { realClock } from '../../../main/check/request-sender.ts';
import { createShellValues } from '../../../main/check/shell-values.ts';
import { renderMarkdownReport } from '../../../main/check/reports/markdown-report.ts';
import { defaultInterface } from '../../../main/interface/shipped.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { createCheck, secretsIn } from '../support/run-check.ts';
import { jsonWebTokens } from '../support/json-web-tokens.ts';
import { startRacingServer } from '../support/racing-server.ts';
import { printedBy, runScript, statusesOf } from '../support/scripts.ts';
import { smallServer } from '../support/small-server.ts';

type Rules = Parameters<typeof smallServer>[0];

async function startSmall(rules: Rules) {
  const server = await startRecordingServer(smallServer(rules));
  onTestFinished(() => server.close());
  return server;
}

const scriptOf = ({ findings }: Report, wanted: FindingId): string =>
  findings.find(({ id }) => id === wanted)?.script ?? '';

/** Runs every script of a report in `sh`, each at a new server of these rules. */
async function repeatAll({ findings }: Report, rules: () => Rules) {
  const repeated: { id: FindingId; seen: number[]; wanted: number[] }[] = [];
  for (const { id, script } of findings) {
    const server = await startSmall(rules());
    repeated.push({ id, ...(await runScript(script, server.origin)) });
  }
  return repeated;
}

const runAt = async (rules: Rules, options: Partial<RunOptions> = {}) => {
  const server = await startSmall(rules);
  const { start, wire } = createCheck(server.origin, { options });
  return { report: await start(), secrets: secretsIn(wire), server };
};

it('two scripts that begin in the same second make different addresses, in every shell that is here', async () => {
  const values = createShellValues(undefined);
  values.fields({ email: 'llavero-0123456789abcdef@example.test' });
  const script = [...values.lines('http://localhost'), 'echo "$RUN"'].join('\n');
  for (const shell of ['sh', 'dash', 'bash', 'zsh', 'ksh', 'busybox']) {
    const args = shell === 'busybox' ? ['sh', '-c', script] : ['-c', script];
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => promisify(execFile)(shell, args)));
    const runs = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value.stdout.trim()] : []));
    // The others are on few computers.
    if (shell !== 'sh' && runs.length === 0) continue;
    expect(new Set(runs).size).toBe(8);
    expect(runs.filter((run) => !/^\d{10}[\da-f]{8}$/.test(run))).toEqual([]);
  }
});

describe('the scripts of a report', () => {
  const flawed = (): Rules => ({
    takesTwice: true,
    isWeak: () => false,
    looksAt: (password) => password.slice(0, 72),
    refusal: (isKnown) => [isKnown ? 401 : 404, 'No.'],
    made: () => ({ message: 'Made.' }),
    shownTo: (email, all) => all[0] ?? email,
    ownerOf: (token, given) => [...given].find(([each]) => each.slice(0, 6) === token.slice(0, 6))?.[1],
    headers: () => ({ Server: 'nginx/1.18.0', 'Cache-Control': 'public, max-age=60' }),
    override: ({ body }) =>
      body.includes('"an object"') ? answer(500, { message: 'Traceback (most recent call last)' }) : undefined,
  });

  it('run in sh, get the statuses that were seen, and hold no secret', async () => {
    const { report, secrets } = await runAt(flawed(), { throttling: true });
    const repeated = await repeatAll(report, flawed);
    expect(repeated.map(({ id }) => id).toSorted()).toEqual([
      'email-registered-twice',
      'guessing-not-throttled',
      'password-cut',
      'profile-of-another',
      'server-fault-on-input',
      'software-version-shown',
      'stack-traces',
      'token-cacheable',
      'token-unverified',
      'unknown-email-by-body',
      'weak-password-accepted',
    ]);
    for (const { id, seen, wanted } of repeated) expect({ id, seen }).toEqual({ id, seen: wanted });
    expect(repeated.every(({ seen }) => seen.length > 0)).toBe(true);
    const scripts = report.findings.map(({ script }) => script).join('\n');
    expect(secrets.filter((secret) => scripts.includes(secret))).toEqual([]);
    expect(scriptOf(report, 'weak-password-accepted')).toContain('{PASSWORD_2:=password123}');
    expect(scriptOf(report, 'guessing-not-throttled')).toContain('This status depends on a limit');
    expect(scriptOf(report, 'guessing-not-throttled')).toMatch(/^# This does not delete the accounts/);
    expect(statusesOf(scriptOf(report, 'email-registered-twice'))).toEqual([201, 201]);
    expect(renderMarkdownReport(report, 'es')).toContain('# Este estado depende de un límite');
  });

  // One key for all, as a fresh copy of one server has it.
  const tokens = jsonWebTokens({ verifies: 'nothing' });

  it('make of a token what the run made of it', async () => {
    const { report, secrets } = await runAt(tokens, { only: ['token.altered'] });
    const script = scriptOf(report, 'token-unverified');
    expect(await repeatAll(report, () => tokens)).toEqual([
      { id: 'token-unverified', seen: statusesOf(script), wanted: [201, 200, 200, 200, 200, 200, 200] },
    ]);
    expect(secrets.filter((secret) => script.includes(secret.split('.').at(-1) || secret))).toEqual([]);
  });

  it.each<[where: string, different: Partial<InterfaceDescription>, give: (token: string) => string]>([
    ['a body', {}, (token) => answer(200, { token })],
    [
      'a header',
      { outputs: { token: '$response.header.X-Auth-Token' } },
      (token) => answer(200, { message: 'Welcome.' }, { 'X-Auth-Token': token }),
    ],
    [
      'a cookie',
      { security: { type: 'apiKey', in: 'cookie', name: 'sid' } },
      (token) => answer(200, { message: 'Welcome.' }, { 'Set-Cookie': `sid=${token}; Path=/` }),
    ],
  ])('print the tokens that have too little randomness, out of %s', async (_where, different, give) => {
    const only: RunOptions['only'] = ['token.randomness', 'login.two-tokens', 'logout.other-tokens-afterwards'];
    const start = async () => {
      const given: string[] = [];
      const respond = smallServer({ newToken: () => (given.push(`count-${100_000 + given.length}`), given.at(-1)!) });
      const server = await startRecordingServer((request, number) => {
        const { sid } = Object.fromEntries(request.headers).Cookie?.match(/sid=(?<sid>[^;]+)/)?.groups ?? {};
        const headers: typeof request.headers = [...request.headers, ['Authorization', sid ?? '']];
        const before = given.length;
        const said = respond(sid === undefined ? request : { ...request, headers }, number);
        return given.length > before ? give(given.at(-1)!) : said;
      });
      onTestFinished(() => server.close());
      return { origin: server.origin, given };
    };
    const first = await start();
    const adapter = new ApiAdapter({ ...defaultInterface, ...different }, first.origin);
    const report = await createCheck(first.origin, { adapter, options: { only } }).start();
    const script = scriptOf(report, 'tokens-guessable');
    expect(first.given.filter((token) => script.includes(token))).toEqual([]);
    const again = await start();
    const printed = await printedBy(script, again.origin);
    const tokens = [...printed.matchAll(/^token: (.*)$/gm)].map(([, token]) => token);
    expect(tokens.length).toBeGreaterThanOrEqual(4);
    expect(tokens).toEqual(again.given);
    const statuses = [...printed.matchAll(/^HTTP\/1.1 (\d+)/gm)].map(([, status]) => Number(status));
    expect(statuses).toEqual(statusesOf(script));
  });

  it('say where a status depends on time, and of no other call, whatever the clock says', async () => {
    // All calls seem to begin in one moment.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    // On a busy machine, two commands of the script start more than 50 milliseconds apart.
    const server = await startRacingServer({ checksFirst: true, stepMs: 500 });
    onTestFinished(server.close);
    const only: RunOptions['only'] = ['races.registration'];
    const { start } = createCheck(server.origin, {
      clock: realClock,
      options: { races: true, only, callsPerSecond: 100 },
    });
    const script = scriptOf(await start(), 'account-doubled');
    expect(script).toContain('the status depends on timing.');
    expect(script.match(/&$/gm)).toHaveLength(2);
    const { seen, wanted } = await runScript(script, server.origin);
    expect(seen).toEqual(wanted);
  });
});
