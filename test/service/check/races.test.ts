import { describe, expect, it, onTestFinished } from 'vitest';
import { CaseId } from '../../../preload/contract/report-cases.ts';
import { realClock } from '../../../main/check/request-sender.ts';
import { answersOf, createCheck, outcomesOf } from '../support/run-check.ts';
import { startRacingServer, type RacingRules } from '../support/racing-server.ts';

const races: CaseId[] = ['races.registration', 'races.logins', 'races.logout-and-profile', 'races.logout-twice'];

async function raceAgainst(rules: RacingRules = {}) {
  const server = await startRacingServer(rules);
  onTestFinished(server.close);
  const run = createCheck(server.origin, {
    clock: realClock,
    options: { races: true, only: races, callsPerSecond: 100 },
  });
  return { report: await run.start(), accounts: server.accounts() };
}

describe('calls at the same moment', () => {
  it('are kept apart by a right server, and nothing is found', async () => {
    const { report } = await raceAgainst();
    expect(report.findings).toEqual([]);
    expect(outcomesOf(report, 'not-measured')).toEqual([]);
    expect(answersOf(report)).toMatchObject({
      'races.registration raced-one register': { handling: 'accepted', status: 201 },
      'races.registration raced-other register': { handling: 'refused', status: 422 },
      'races.registration raced-registrations-accepted': { count: 1 },
      'races.logins two-logins-two-tokens': { yes: true },
      'races.logins raced-tokens-that-work': { count: 2 },
      'races.logout-and-profile raced-one logout': { handling: 'accepted' },
      'races.logout-and-profile profile-after-logout profile': { handling: 'refused' },
      'races.logout-twice raced-one logout': { handling: 'accepted' },
      'races.logout-twice raced-other logout': { handling: 'refused' },
    });
  });

  it('are a finding where one email gets two accounts', async () => {
    const { report, accounts } = await raceAgainst({ checksFirst: true, stepMs: 50 });
    expect(new Set(accounts.map(({ email }) => email)).size).toBe(accounts.length - 1);
    expect(report.findings.map(({ id, severity }) => [id, severity])).toEqual([['account-doubled', 'high']]);
    expect(answersOf(report)).toMatchObject({
      'races.registration raced-registrations-accepted': { count: 2 },
      'races.registration raced-passwords-that-work': { count: 2 },
    });
    // Both accounts are told of by the one email that they have.
    expect(report.accounts.filter(({ madeBy }) => madeBy === 'races.registration')).toHaveLength(1);
  });

  // As in https://github.com/hedgedoc/hedgedoc/issues/6875 and https://github.com/UWFlow/rmc/pull/144.
  it('are a finding where one email gets two accounts, of which a login finds the first alone', async () => {
    const { report } = await raceAgainst({ checksFirst: true, findsOne: true, stepMs: 50 });
    expect(report.findings.map(({ id }) => id)).toEqual(['account-doubled']);
    expect(answersOf(report)).toMatchObject({ 'races.registration raced-passwords-that-work': { count: 1 } });
  });

  it('are a finding where a profile call brings a logged out token back', async () => {
    const { report } = await raceAgainst({ revives: true, stepMs: 50 });
    expect(report.findings.map(({ id, caseId }) => [id, caseId])).toEqual([
      ['token-outlives-logout', 'races.logout-and-profile'],
    ]);
  });

  // As in https://github.com/SandeepVashishtha/Eventra/pull/19012 and https://github.com/AI-Shipping-Labs/website/issues/1519.
  it('are told as they were answered where the one that came too late is a fault', async () => {
    const { report } = await raceAgainst({ lostStatus: 500, stepMs: 50 });
    expect(answersOf(report)).toMatchObject({
      'races.registration raced-other register': { handling: 'fault', status: 500 },
    });
  });

  it('are not sent unless they are asked for', async () => {
    const server = await startRacingServer({ stepMs: 0 });
    onTestFinished(server.close);
    const report = await createCheck(server.origin, { options: { only: races } }).start();
    expect(outcomesOf(report, 'not-measured')).toEqual(
      races.toSorted((a, b) => order(a) - order(b)).map((id) => `${id}: not-asked`),
    );
  });
});

const order = (id: CaseId): number => CaseId.options.indexOf(id);
