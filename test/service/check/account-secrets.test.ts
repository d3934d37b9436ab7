import { expect, it } from 'vitest';
import { generateMock, formatMockFile } from '../../../main/check/mock-generator/generate-mock.ts';
import { renderReport } from '../../../main/check/reports/render-report.ts';
import { parseJson } from '../../../main/interface/template.ts';
import { readReport } from '../../../main/check/reports/json-report.ts';
import type { RunProgress } from '../../../preload/contract/report.ts';
import { accountDefectNames, reportForms } from '../../../preload/contract/names.ts';
import { secretsIn } from '../../support/secrets-in.ts';
import { startAccountCheck } from '../support/account-check.ts';

/** Every text under a name in the bodies of requests and responses, in lists too. */
function valuesOf(bodies: readonly string[], name: RegExp): string[] {
  const found = new Set<string>();
  function walk(value: unknown, key: string): void {
    if (typeof value === 'string' && name.test(key)) found.add(value);
    else if (Array.isArray(value)) for (const each of value) walk(each, key);
    else if (typeof value === 'object' && value !== null)
      for (const [inner, each] of Object.entries(value)) walk(each, inner);
  }
  for (const body of bodies) walk(parseJson(body), '');
  // A list of errors under a name has sentences.
  return [...found].filter((value) => value !== '' && !value.includes(' '));
}

it.each([
  ['llavero-service', []],
  ['llavero-account-calls', []],
  ['llavero-service', accountDefectNames],
  ['llavero-account-calls', accountDefectNames],
] as const)(
  'no secret of a factor or an account is in any form of a report: %s with %j',
  async (description, defects) => {
    const progress: RunProgress[] = [];
    // The server repeats everything in its headers and bodies.
    const run = await startAccountCheck({
      description,
      defects,
      echo: true,
      check: { onProgress: (each) => void progress.push(each) },
    });
    const report = await run.start();
    const bodies = run.wire.flatMap(({ request, response }) => [request.body ?? '', response?.body ?? '']);
    const codes = valuesOf(bodies, /^code$/).filter((value) => /^\d{6}$/.test(value));
    const secrets = {
      secret: valuesOf(bodies, /^secret$/),
      url: valuesOf(bodies, /^otpauthUrl$/),
      recoveryCode: valuesOf(bodies, /^recoveryCodes?$/),
      pending: valuesOf(bodies, /^pendingToken$/),
      password: valuesOf(bodies, /^(?:new|current)?password$/i).filter((value) => value.startsWith('Ll4!')),
      token: valuesOf(bodies, /^(?:access_)?token$/),
    };
    expect(codes.length).toBeGreaterThan(10);
    for (const [kind, values] of Object.entries(secrets))
      expect([kind, values.length]).toEqual([kind, expect.any(Number)]);
    expect(Object.values(secrets).every((values) => values.length >= 2)).toBe(true);
    expect(secrets.recoveryCode.length).toBeGreaterThanOrEqual(20);

    const generated = await generateMock({
      report,
      observations: run.observations(),
      secretRegistry: run.secretRegistry,
      adapter: run.adapter,
    });
    const written = [
      ...(await Promise.all(
        reportForms.flatMap((form) => ['en', 'es'].map((language) => renderReport(form, report, language))),
      )),
      JSON.stringify(progress),
      generated.ok ? formatMockFile(generated.model) : '',
    ];
    const all = [...Object.values(secrets).flat(), ...codes];
    expect(written.flatMap((text) => secretsIn(text, all))).toEqual([]);
    expect(generated).toMatchObject({ ok: true });
    expect(report.findings.length > 5).toBe(defects.length > 0);
    expect(readReport(await renderReport('json', report, 'en'))).toMatchObject({ ok: true });
  },
);
