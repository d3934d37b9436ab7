import { describe, expect, it, onTestFinished } from 'vitest';
import { realClock } from '../../../main/check/request-sender.ts';
import { badAnswers } from '../../support/bad-answers.ts';
import { startRecordingServer } from '../../support/recording-server.ts';
import { answersOf, caseOf, createCheck, outcomesOf } from '../support/run-check.ts';
import { startRacingServer, type RacingRules } from '../support/racing-server.ts';
import { isPath, smallServer } from '../support/small-server.ts';

/** A server gets this long for an answer, so that no test waits for the usual limits. */
const limits = { connectSeconds: 2, firstByteSeconds: 0.5, totalSeconds: 1, bodyBytes: 100_000 };

/** Registers twice at once at a server that takes both, or at a right one. */
async function raceAgainst(rules: RacingRules) {
  const server = await startRacingServer({ stepMs: 50, ...rules });
  onTestFinished(server.close);
  const only = ['races.registration' as const];
  return createCheck(server.origin, {
    clock: realClock,
    limits,
    options: { races: true, only, variant: 'registro', callsPerSecond: 100 },
  }).start();
}

// One registration makes the account of all cases, and three try its email again. These come at once.
const raced = new Set(['registro 5', 'registro 6']);

describe('two registrations at once', () => {
  it.each([
    ['one of them', 'registro 6'],
    ['the login with one of the passwords', 'login 2'],
  ])('that make two accounts are found although %s gets no answer', async (_which, silent) => {
    const report = await raceAgainst({ checksFirst: true, isSilent: (what) => what === silent });
    expect(report.findings.map(({ id }) => id)).toEqual(['account-doubled']);
    expect(report.evidence.filter(({ response }) => response === undefined)).toHaveLength(1);
  });

  it('are told to have made one account where a try that got no answer is followed by one that did', async () => {
    const report = await raceAgainst({ isSilent: (what) => raced.has(what) });
    expect(report.findings).toEqual([]);
    expect(answersOf(report)).toMatchObject({ 'races.registration raced-registrations-accepted': { count: 1 } });
  });

  it('say nothing of a server that leaves one of them unanswered each time', async () => {
    const each = new Set(['registro 6', 'registro 8', 'registro 10']);
    const report = await raceAgainst({ isSilent: (what) => each.has(what) });
    expect(report.findings).toEqual([]);
    expect(caseOf(report, 'races.registration')).toMatchObject({ reason: { kind: 'no-answer' } });
  });
});

describe('a server that was busy', () => {
  it('is asked once more when all else is done, with the cases that needed its answer', async () => {
    const right = smallServer();
    let logins = 0;
    const server = await startRecordingServer((request, socket) =>
      isPath(request, 'login') && ++logins <= 2 ? badAnswers.hanging() : right(request, socket),
    );
    onTestFinished(server.close);
    const done: string[] = [];
    const report = await createCheck(server.origin, {
      limits,
      options: { only: ['login.answer', 'token.required'] },
      onProgress: ({ result }) => void (result && done.push(result.id)),
    }).start();
    expect([outcomesOf(report, 'not-measured'), outcomesOf(report, 'failed')]).toEqual([[], []]);
    expect(done.slice(-3)).toEqual(['login.right-credentials', 'login.answer', 'token.required']);
  });

  it('is asked three times in all, where it never answers that', async () => {
    const right = smallServer();
    const server = await startRecordingServer((request, socket) =>
      isPath(request, 'salir') ? badAnswers.hanging() : right(request, socket),
    );
    onTestFinished(server.close);
    const report = await createCheck(server.origin, { limits, options: { only: ['token.required'] } }).start();
    expect(caseOf(report, 'token.required')).toMatchObject({ reason: { kind: 'no-answer' } });
    expect(server.requests.filter((each) => isPath(each, 'salir'))).toHaveLength(3);
  });
});
