import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Report } from '../../../preload/contract/report.ts';
import { CaseId, type CaseAnswer } from '../../../preload/contract/report-cases.ts';
import { realClock } from '../../../main/check/request-sender.ts';
import { renderMarkdownReport } from '../../../main/check/reports/markdown-report.ts';
import { startRecordingServer } from '../../support/recording-server.ts';
import { answersOf, caseOf, createCheck, outcomesOf, secretsIn } from '../support/run-check.ts';
import { jsonWebTokens } from '../support/json-web-tokens.ts';
import { bearerOf, smallServer } from '../support/small-server.ts';

const soon = (): number => Math.floor(Date.now() / 1000) + 1800;

/** What is asked where a whole run would say no more. */
const few: readonly CaseId[] = ['token.altered', 'token.lifetime', 'token.same-second', 'errors.secrets-sent'];

async function runAgainst(
  rules: Parameters<typeof smallServer>[0],
  only: readonly CaseId[] = few,
  isInterfaceChosen = false,
) {
  const server = await startRecordingServer(smallServer(rules));
  onTestFinished(server.close);
  const run = createCheck(server.origin, {
    clock: realClock,
    isInterfaceChosen,
    options: { callsPerSecond: 100, only: [...only] },
  });
  return { report: await run.start(), wire: run.wire };
}

const foundIn = ({ findings }: Report): string[] => findings.map(({ id }) => id);

describe('a token of another form than that of interface.md', () => {
  const jwt = jsonWebTokens({ claims: () => ({ iat: soon() - 1800, exp: soon() }) });
  const interfaceOf = (report: Report) => {
    const note = report.findings.find(({ id }) => id === 'token-format');
    const form = caseOf(report, 'token.form');
    return {
      kind: form.kind,
      outcome: form.outcome,
      calls: form.calls.length,
      note: note && [note.severity, note.calls],
    };
  };

  it('is a note by default, with the call that shows it', async () => {
    const { report } = await runAgainst(jwt, ['token.form']);
    const { calls } = caseOf(report, 'token.form');
    expect(interfaceOf(report)).toEqual({ kind: 'observed', outcome: 'answered', calls: 1, note: ['info', calls] });
    const shown = report.evidence.find(({ id }) => id === calls[0]);
    expect(JSON.stringify(shown?.request.url)).toContain('/login');
    const note = report.findings.find(({ id }) => id === 'token-format');
    expect(note?.details).toEqual([{ question: 'token-form', value: { kind: 'choice', choice: 'jwt' } }]);
  });

  it('fails a requirement where somebody chose the interface', async () => {
    const { report } = await runAgainst(jwt, ['token.form'], true);
    expect(interfaceOf(report)).toEqual({ kind: 'stated', outcome: 'failed', calls: 1, note: undefined });
  });

  it('is neither where it is that of interface.md', async () => {
    const { report } = await runAgainst({}, ['token.form']);
    expect(interfaceOf(report)).toEqual({ kind: 'observed', outcome: 'answered', calls: 1, note: undefined });
    const chosen = await runAgainst({}, ['token.form'], true);
    expect(interfaceOf(chosen.report)).toEqual({ kind: 'stated', outcome: 'passed', calls: 1, note: undefined });
  });
});

describe('a token in other forms than it was given', () => {
  it('is refused by a server that verifies its JSON Web Tokens, and nothing is found', async () => {
    const { report, wire } = await runAgainst(
      jsonWebTokens({ claims: () => ({ iat: soon() - 1800, exp: soon(), scp: ['profile'], roles: 'user admin' }) }),
      CaseId.options,
    );
    // Logging out ends nothing there, and nothing of its tokens has the form of the interface.
    expect(foundIn(report)).toEqual(['token-outlives-logout', 'token-format']);
    expect(outcomesOf(report, 'failed')).toEqual([]);
    const refused = { kind: 'reply', handling: 'refused', status: 401 };
    expect(answersOf(report)).toMatchObject({
      'token.altered token-signature-cut profile': refused,
      'token.altered token-signature-altered profile': refused,
      'token.altered token-other-key profile': refused,
      'token.altered token-alg-none profile': refused,
      'token.altered token-claim-changed profile': refused,
      'token.lifetime token-lifetime': { kind: 'seconds', seconds: 1800 },
      'token.lifetime token-scopes': { kind: 'list', items: ['profile', 'user', 'admin'] },
      'token.lifetime token-algorithm': { text: ['HS256'] },
      'token.lifetime token-claims': { items: ['sub', 'iat', 'exp', 'scp', 'roles'] },
      'token.randomness token-randomness': { kind: 'choice', choice: 'signature-only' },
      'token.same-second same-token-in-one-second': { kind: 'flag', yes: true },
      'login.two-tokens two-logins-two-tokens': { kind: 'flag', yes: true },
    });
    const written = JSON.stringify(report);
    for (const secret of secretsIn(wire)) expect(written).not.toContain(secret);
    expect(renderMarkdownReport(report, 'en')).toContain('30 minutes');
  });

  // Servers that only decode: https://github.com/salihozdemir/stackoverflow-clone/issues/6 (jwt-decode),
  // https://github.com/hokaccha/node-jwt-simple/issues/106 (an algorithm as `noVerify`),
  // https://github.com/conwetlab/ckanext-oauth2/issues/37 (`verify=False`), https://github.com/Tracer-Cloud/opensre/issues/1204.
  // That take an algorithm of none: https://github.com/Ayushh-Sharmaa/NexaSphere/issues/1866.
  it.each([
    ['nothing', { verifies: 'nothing' }, ['cut', 'altered', 'other-key', 'alg-none', 'claim-changed']],
    ['nothing where the algorithm is "none"', { verifies: 'all-but-none' }, ['alg-none']],
    ['the beginning of a signature', { verifies: 'beginning-of-signature' }, ['altered']],
  ] as const)('is a finding where the server verifies %s', async (_what, wanted, accepted) => {
    const { report, wire } = await runAgainst({
      ...jsonWebTokens(wanted),
      // What was sent comes back, as some servers do to help.
      headers: (request) => ({ 'X-Token': bearerOf(request) ?? '', 'X-Tail': bearerOf(request)?.slice(-60) ?? '' }),
    });
    expect(foundIn(report)).toEqual(['token-unverified']);
    const altered = caseOf(report, 'token.altered');
    const questions = altered.outcome === 'answered' ? altered.answers.filter(wasAccepted) : [];
    expect(questions.map(({ question }) => question.replace(/token-(?:signature-)?/, ''))).toEqual(accepted);
    const written = JSON.stringify(report);
    for (const secret of secretsIn(wire)) expect(written).not.toContain(secret);
  });

  it.each([
    ['40 hexadecimal digits', () => randomBytes(20).toString('hex')],
    ['the form of the interface', () => `${randomInt(100)}|${randomBytes(36).toString('hex')}`],
    ['a UUID', () => randomUUID()],
  ])('is a finding where the server looks at the beginning only (%s)', async (_form, newToken) => {
    const right = await runAgainst({ newToken });
    expect(answersOf(right.report)).toMatchObject({
      'token.altered token-character-changed profile': { handling: 'refused' },
    });
    expect(foundIn(right.report)).toEqual([]);
    const wrong = await runAgainst({
      newToken,
      ownerOf: (token, given) => [...given].find(([each]) => each.slice(0, 9) === token.slice(0, 9))?.[1],
    });
    expect(foundIn(wrong.report)).toEqual(['token-unverified']);
  });

  it('is tried where the server itself gives tokens without a signature', async () => {
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const newToken = (email: string): string =>
      `${none}.${Buffer.from(JSON.stringify({ sub: email, jti: randomUUID() })).toString('base64url')}.`;
    const ownerOf = (token: string): string | undefined => /"sub":"([^"]+)"/.exec(atob(token.split('.')[1] ?? ''))?.[1];
    const { report } = await runAgainst({ newToken, ownerOf });
    expect(foundIn(report)).toEqual(['token-unverified']);
    expect(answersOf(report)).toMatchObject({
      'token.lifetime token-lifetime': { choice: 'never-ends' },
      'token.lifetime token-ends': { kind: 'none' },
    });
  });

  it('is not taken for a token where it is longer than any that is read', async () => {
    const { report } = await runAgainst(
      jsonWebTokens({ claims: () => ({ more: randomBytes(500_000).toString('hex') }) }),
    );
    expect(foundIn(report)).toEqual([]);
    const reasons = report.cases.flatMap((each) => (each.outcome === 'not-measured' ? [each.reason.kind] : []));
    expect(reasons).not.toContain('bug');
    expect(outcomesOf(report, 'not-measured')).toContain('token.altered: needs');
  });
});

const wasAccepted = ({ value }: CaseAnswer): boolean => value.kind === 'reply' && value.handling === 'accepted';
