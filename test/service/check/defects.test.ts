import { expect, it } from 'vitest';
import type { FindingId } from '../../../preload/contract/report.ts';
import { defaultArgon2Cost } from '../../../main/service/domain/passwords.ts';
import { createCheck, notMeasured, outcomesOf, secretsIn, unaskedByDefault } from '../support/run-check.ts';
import { startBuiltInServer } from '../support/fault-injection.ts';
import { type DefectName, defectNames } from '../../../preload/contract/names.ts';
import { runScript } from '../support/scripts.ts';

/** What a run is to say of each way to be wrong. */
const intended: Record<DefectName, FindingId> = {
  'token-outlives-logout': 'token-outlives-logout',
  'password-echoed': 'password-echoed',
  'unknown-email-by-body': 'unknown-email-by-body',
  'unknown-email-by-time': 'unknown-email-by-time',
  'stack-traces': 'stack-traces',
  'tokens-guessable': 'tokens-guessable',
  'cpassword-ignored': 'cpassword-ignored',
  'password-hash-in-profile': 'password-hash-shown',
};

it.each(defectNames)('a run finds exactly what is wrong with a service that has %s', async (wrong) => {
  const hashesMatter = wrong === 'unknown-email-by-time';
  const options = hashesMatter ? { argon2: defaultArgon2Cost } : {};
  const startWrong = () => startBuiltInServer({ defects: [wrong] }, { isEmpty: true, rateLimit: 'on', ...options });
  const { service } = await startWrong();
  const { start, wire } = createCheck(service.baseUrl);
  const report = await start();

  expect(outcomesOf(report, 'failed')).toEqual([]);
  expect(notMeasured(report)).toEqual(unaskedByDefault);
  const isBlurred = hashesMatter && outcomesOf(report, 'not-measured').length > unaskedByDefault.length;
  expect(report.findings.map(({ id }) => id)).toEqual(isBlurred ? [] : [intended[wrong]]);
  const [finding] = report.findings;
  if (!finding) return;
  const { calls, script } = finding;
  const evidence = new Map(report.evidence.map((each) => [each.id, each]));
  expect(calls.every((id) => evidence.has(id))).toBe(true);
  expect(script).toMatch(/^curl --silent --show-error --include --globoff /m);
  const fresh = await startWrong();
  const { seen, wanted } = await runScript(script, fresh.service.baseUrl);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).toEqual(wanted);
  const text = JSON.stringify(report);
  expect(secretsIn(wire).filter((secret) => text.includes(secret))).toEqual([]);
  expect(report.accounts.length).toBeLessThanOrEqual(8);
});
